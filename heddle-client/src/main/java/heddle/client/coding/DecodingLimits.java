package heddle.client.coding;

/**
 * How large the content of a response may become when it is decoded: a few bytes can expand to
 * gigabytes. Beyond a limit, reading the body throws {@link
 * heddle.http.failure.MessageTooLargeException}, and its connection is closed.
 *
 * @param maxBytes the most bytes of decoded content; 1 or more, {@link Long#MAX_VALUE} for any
 *     number
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

  /** These limits with another {@code maxBytes}. */
  public DecodingLimits withMaxBytes(long bytes) {
    return new DecodingLimits(bytes, maxRatio, freeBytes, maxLayers);
  }

  /** These limits with another {@code maxRatio}. */
  public DecodingLimits withMaxRatio(int ratio) {
    return new DecodingLimits(maxBytes, ratio, freeBytes, maxLayers);
  }

  /** These limits with another number of {@code freeBytes}. */
  public DecodingLimits withFreeBytes(long bytes) {
    return new DecodingLimits(maxBytes, maxRatio, bytes, maxLayers);
  }

  /** These limits with another number of {@code maxLayers}. */
  public DecodingLimits withMaxLayers(int layers) {
    return new DecodingLimits(maxBytes, maxRatio, freeBytes, layers);
  }
}
