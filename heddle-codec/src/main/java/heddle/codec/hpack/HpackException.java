package heddle.codec.hpack;

/**
 * A header block could not be decoded. It has no stack trace: the cause is in the peer's bytes, not
 * in our code, and hostile peers must not make it expensive.
 */
public final class HpackException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What it means for the connection. */
  public enum Reason {
    /**
     * The block breaks RFC 7541, so the tables of both sides differ from now on: a connection error
     * COMPRESSION_ERROR (RFC 9113 §4.3).
     */
    COMPRESSION_ERROR,
    /**
     * The decoded fields take more than we accept. The block was decoded to its end and the table
     * is right, so the connection goes on; the message is refused (431 on a server).
     */
    LIST_TOO_LARGE
  }

  private final Reason reason;

  HpackException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
