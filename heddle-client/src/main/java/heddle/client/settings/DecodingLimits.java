package heddle.client.settings;

/**
 * How large the content of a response may become when it is decoded: a few bytes can expand to
 * gigabytes. Beyond a limit, reading fails with {@link
 * heddle.http.failure.MessageTooLargeException}, and the connection is closed.
 *
 * @param maxBytes the most bytes of decoded content; 1 or more, {@link Long#MAX_VALUE} for any
 * @param maxRatio decoded bytes for each byte received, beyond {@code freeBytes}; 1 or more.
 *     Deflate reaches at most 1032
 * @param freeBytes how many decoded bytes are allowed whatever the ratio; 0 or more
 * @param maxLayers how many codings may be applied one after the other; 1 to 8
 */
public record DecodingLimits(long maxBytes, int maxRatio, long freeBytes, int maxLayers) {
  private static final int MOST_LAYERS = 8;

  /** Any number of bytes, but 100 for each byte received beyond the first MiB; two layers. */
  public static final DecodingLimits DEFAULTS = new DecodingLimits(Long.MAX_VALUE, 100, 1 << 20, 2);

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public DecodingLimits {
    check("maxBytes", maxBytes, 1, Long.MAX_VALUE);
    check("maxRatio", maxRatio, 1, Integer.MAX_VALUE);
    check("freeBytes", freeBytes, 0, Long.MAX_VALUE);
    check("maxLayers", maxLayers, 1, MOST_LAYERS);
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          most == Long.MAX_VALUE || most == Integer.MAX_VALUE
              ? name + " must be at least " + least + ", not " + value
              : name + " must be " + least + " to " + most + ", not " + value);
    }
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder(DEFAULTS);
  }

  /** A builder with these limits. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Collects limits. Not safe for use by several threads. */
  public static final class Builder {
    private long maxBytes;
    private int maxRatio;
    private long freeBytes;
    private int maxLayers;

    private Builder(DecodingLimits limits) {
      maxBytes = limits.maxBytes;
      maxRatio = limits.maxRatio;
      freeBytes = limits.freeBytes;
      maxLayers = limits.maxLayers;
    }

    /** The most bytes of decoded content; 1 or more. */
    public Builder maxBytes(long number) {
      maxBytes = number;
      return this;
    }

    /** Decoded bytes for each byte received, beyond {@code freeBytes}; 1 or more. */
    public Builder maxRatio(int number) {
      maxRatio = number;
      return this;
    }

    /** How many decoded bytes are allowed whatever the ratio; 0 or more. */
    public Builder freeBytes(long number) {
      freeBytes = number;
      return this;
    }

    /** How many codings may be applied one after the other; 1 to 8. */
    public Builder maxLayers(int number) {
      maxLayers = number;
      return this;
    }

    /**
     * The limits.
     *
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public DecodingLimits build() {
      return new DecodingLimits(maxBytes, maxRatio, freeBytes, maxLayers);
    }
  }
}
