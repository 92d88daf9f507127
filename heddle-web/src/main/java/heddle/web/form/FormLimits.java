package heddle.web.form;

/**
 * How large a form may be. More is refused with a {@link FormException} of status 413 as soon as it
 * has arrived, or was announced. The server's own limit of content is separate, and comes first if
 * it is lower.
 *
 * @param maxBytes the most bytes of content, all parts and what separates them; 32 MiB by default
 * @param maxParts the most fields, or parts; 1000 by default
 * @param maxPartBytes the most bytes of the content of a part, such as a file; by default no limit
 *     but {@code maxBytes}
 * @param maxHeadBytes the most bytes of the head of a part; 8 KiB by default
 * @param maxTextBytes the most bytes of an urlencoded form, and of the values that {@link FormData}
 *     holds in memory, those of files not counted; 1 MiB by default
 */
public record FormLimits(
    long maxBytes, int maxParts, long maxPartBytes, int maxHeadBytes, int maxTextBytes) {
  /** The default limits. */
  public static final FormLimits DEFAULT = builder().build();

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one is not positive
   */
  public FormLimits {
    positive("maxBytes", maxBytes);
    positive("maxParts", maxParts);
    positive("maxPartBytes", maxPartBytes);
    positive("maxHeadBytes", maxHeadBytes);
    positive("maxTextBytes", maxTextBytes);
  }

  private static void positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive, but was " + value);
    }
  }

  /** A builder with the default limits. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects limits. Not safe for use by several threads. */
  public static final class Builder {
    private long maxBytes = 32 << 20;
    private int maxParts = 1000;
    private long maxPartBytes = Long.MAX_VALUE;
    private int maxHeadBytes = 8 << 10;
    private int maxTextBytes = 1 << 20;

    private Builder() {}

    /** Sets {@link FormLimits#maxBytes}. */
    public Builder maxBytes(long bytes) {
      maxBytes = bytes;
      return this;
    }

    /** Sets {@link FormLimits#maxParts}. */
    public Builder maxParts(int parts) {
      maxParts = parts;
      return this;
    }

    /** Sets {@link FormLimits#maxPartBytes}. */
    public Builder maxPartBytes(long bytes) {
      maxPartBytes = bytes;
      return this;
    }

    /** Sets {@link FormLimits#maxHeadBytes}. */
    public Builder maxHeadBytes(int bytes) {
      maxHeadBytes = bytes;
      return this;
    }

    /** Sets {@link FormLimits#maxTextBytes}. */
    public Builder maxTextBytes(int bytes) {
      maxTextBytes = bytes;
      return this;
    }

    /**
     * Builds the limits.
     *
     * @throws IllegalArgumentException if one is not positive
     */
    public FormLimits build() {
      return new FormLimits(maxBytes, maxParts, maxPartBytes, maxHeadBytes, maxTextBytes);
    }
  }
}
