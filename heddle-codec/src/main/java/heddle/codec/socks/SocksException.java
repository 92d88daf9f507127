package heddle.codec.socks;

/**
 * A SOCKS proxy will not make a connection, or does not speak SOCKS 5. The session that threw it is
 * of no further use. It has no stack trace: the cause is in the peer's bytes, not in our code.
 */
public final class SocksException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What kind of an end it is. */
  public enum Reason {
    /** The proxy accepts no method of authentication that was offered, or not the credentials. */
    AUTHENTICATION,
    /** The proxy answered that it does not make the connection. */
    REFUSED,
    /** What the proxy sent is not SOCKS 5. */
    MALFORMED
  }

  private final Reason reason;

  SocksException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
