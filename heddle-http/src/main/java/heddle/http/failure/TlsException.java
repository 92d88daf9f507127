package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * The server was reached, but not in a way that can be trusted. The message names the host, what
 * was offered and what was wrong with it. Unlike after a {@link ConnectFailedException}, trying
 * again helps only after a change of the server's or the client's configuration.
 */
public final class TlsException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** What was wrong. */
  public enum Reason {
    /** The server's certificate was not signed by an authority that the client trusts. */
    UNKNOWN_AUTHORITY,
    /** A certificate is no longer valid. */
    EXPIRED,
    /** A certificate is not valid yet. */
    NOT_YET_VALID,
    /** The certificate is for another host (RFC 9110 section 4.3.4). */
    WRONG_HOST,
    /** The RSA key of the server's certificate, or of one that signed it, is too short. */
    SHORT_KEY,
    /** No version of TLS that both sides allow. */
    NO_COMMON_VERSION,
    /** No cipher suite, group or signature algorithm that both sides allow. */
    NO_COMMON_CIPHER,
    /** The server speaks none of the HTTP versions that the client may use. */
    NO_COMMON_PROTOCOL,
    /** The server wants a client certificate, and got none or rejected it. */
    CLIENT_CERTIFICATE_REFUSED,
    /** The server went away in the middle of the handshake. */
    TRUNCATED,
    /** What the server sent is not TLS: perhaps it speaks plain HTTP at this port. */
    NOT_TLS,
    /** Anything else; the message says what. */
    OTHER
  }

  /** Why TLS failed. */
  private final Reason reason;

  /** Creates the exception of a failure at this point of a call. */
  public TlsException(
      Reason reason, String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
    this.reason = reason;
  }

  /** Why TLS failed. */
  public Reason reason() {
    return reason;
  }
}
