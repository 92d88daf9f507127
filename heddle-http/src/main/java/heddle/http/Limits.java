package heddle.http;

/**
 * What a connection accepts from its peer before it refuses the message. Immutable; one instance
 * serves any number of connections.
 *
 * <pre>{@code
 * Limits limits = Limits.SERVER_DEFAULTS.toBuilder().maxHeadBytes(32_768).build();
 * HttpServer.Builder server = HttpServer.builder().headLimits(limits);
 * }</pre>
 *
 * @param maxHeadBytes bytes of a head, start line and the empty line included; at least 64
 * @param maxFields field lines of a head, and of a trailer section; at least 1
 * @param maxStartLineBytes bytes of a request line or status line without its line ending, at least
 *     16 (RFC 9112 §3 asks for 8,000 or more); no effect beyond the bound of the head
 * @param maxChunkOverheadBytes bytes of a message's chunk extensions and trailers; at least 0
 * @param maxInterimResponses responses of status 1xx in a row before a final one; at least 0
 */
public record Limits(
    int maxHeadBytes,
    int maxFields,
    int maxStartLineBytes,
    int maxChunkOverheadBytes,
    int maxInterimResponses) {

  /**
   * 64 KiB of head, 200 fields, 16 KiB of start line, 16 KiB around chunks, 8 interim responses.
   */
  public static final Limits DEFAULTS = new Limits(65_536, 200, 16_384, 16_384, 8);

  /**
   * What a server accepts from clients that it does not know: 16 KiB of head, of which 8 KiB may be
   * the request line; the rest as in {@link #DEFAULTS}. A request beyond it is answered 431, or 414
   * if its request line is too long.
   */
  public static final Limits SERVER_DEFAULTS =
      DEFAULTS.toBuilder().maxHeadBytes(16_384).maxStartLineBytes(8_192).build();

  /**
   * @throws IllegalArgumentException if a limit is below its least value
   */
  public Limits {
    atLeast("maxHeadBytes", maxHeadBytes, 64);
    atLeast("maxFields", maxFields, 1);
    atLeast("maxStartLineBytes", maxStartLineBytes, 16);
    atLeast("maxChunkOverheadBytes", maxChunkOverheadBytes, 0);
    atLeast("maxInterimResponses", maxInterimResponses, 0);
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder(DEFAULTS);
  }

  /** A builder with these limits. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  private static void atLeast(String what, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(what + " is " + value + ", must be at least " + least);
    }
  }

  /** Collects limits. Not safe for use by several threads. */
  public static final class Builder {
    private int maxHeadBytes;
    private int maxFields;
    private int maxStartLineBytes;
    private int maxChunkOverheadBytes;
    private int maxInterimResponses;

    private Builder(Limits limits) {
      maxHeadBytes = limits.maxHeadBytes;
      maxFields = limits.maxFields;
      maxStartLineBytes = limits.maxStartLineBytes;
      maxChunkOverheadBytes = limits.maxChunkOverheadBytes;
      maxInterimResponses = limits.maxInterimResponses;
    }

    /** Bytes of a message's head; at least 64. */
    public Builder maxHeadBytes(int number) {
      maxHeadBytes = number;
      return this;
    }

    /** Field lines of a head, and of a trailer section; at least 1. */
    public Builder maxFields(int number) {
      maxFields = number;
      return this;
    }

    /** Bytes of a request line or status line; at least 16. */
    public Builder maxStartLineBytes(int number) {
      maxStartLineBytes = number;
      return this;
    }

    /** Bytes of a message's chunk extensions and trailer section; at least 0. */
    public Builder maxChunkOverheadBytes(int number) {
      maxChunkOverheadBytes = number;
      return this;
    }

    /** Responses of status 1xx before a final one; at least 0. */
    public Builder maxInterimResponses(int number) {
      maxInterimResponses = number;
      return this;
    }

    /**
     * The limits.
     *
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public Limits build() {
      return new Limits(
          maxHeadBytes, maxFields, maxStartLineBytes, maxChunkOverheadBytes, maxInterimResponses);
    }
  }
}
