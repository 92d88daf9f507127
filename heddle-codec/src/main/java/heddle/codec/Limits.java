package heddle.codec;

/**
 * What a session accepts from its peer before it refuses the message with a {@link
 * ProtocolException}. Immutable; one instance serves any number of sessions.
 *
 * @param maxHeadBytes bytes of a message's head, start line and the empty line included; at least
 *     64
 * @param maxFields field lines of a head, and of a trailer section; at least 1
 * @param maxStartLineBytes bytes of a request line or status line without its line ending, at least
 *     16 (RFC 9112 §3 asks for 8,000 or more); the head's bound holds for a start line too, so a
 *     larger value has no effect
 * @param maxChunkOverheadBytes bytes of a message's chunk extensions and trailer section, taken
 *     together; at least 0
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
      DEFAULTS.withMaxHeadBytes(16_384).withMaxStartLineBytes(8_192);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a limit is below its least value
   */
  public Limits {
    atLeast("maxHeadBytes", maxHeadBytes, 64);
    atLeast("maxFields", maxFields, 1);
    atLeast("maxStartLineBytes", maxStartLineBytes, 16);
    atLeast("maxChunkOverheadBytes", maxChunkOverheadBytes, 0);
    atLeast("maxInterimResponses", maxInterimResponses, 0);
  }

  /** The same limits with another {@link #maxHeadBytes}. */
  public Limits withMaxHeadBytes(int bytes) {
    return new Limits(
        bytes, maxFields, maxStartLineBytes, maxChunkOverheadBytes, maxInterimResponses);
  }

  /** The same limits with another {@link #maxFields}. */
  public Limits withMaxFields(int fields) {
    return new Limits(
        maxHeadBytes, fields, maxStartLineBytes, maxChunkOverheadBytes, maxInterimResponses);
  }

  /** The same limits with another {@link #maxStartLineBytes}. */
  public Limits withMaxStartLineBytes(int bytes) {
    return new Limits(maxHeadBytes, maxFields, bytes, maxChunkOverheadBytes, maxInterimResponses);
  }

  /** The same limits with another {@link #maxChunkOverheadBytes}. */
  public Limits withMaxChunkOverheadBytes(int bytes) {
    return new Limits(maxHeadBytes, maxFields, maxStartLineBytes, bytes, maxInterimResponses);
  }

  /** The same limits with another {@link #maxInterimResponses}. */
  public Limits withMaxInterimResponses(int responses) {
    return new Limits(maxHeadBytes, maxFields, maxStartLineBytes, maxChunkOverheadBytes, responses);
  }

  private static void atLeast(String what, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(what + " is " + value + ", must be at least " + least);
    }
  }
}
