package heddle.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A TLS handshake failed. The message names the peer and says what was offered and what was wrong
 * with it.
 */
public final class TlsHandshakeException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What was wrong. */
  public enum Reason {
    /** No trusted authority has signed the peer's certificate. */
    UNKNOWN_AUTHORITY,
    /** A certificate is no longer valid. */
    EXPIRED,
    /** A certificate is not valid yet. */
    NOT_YET_VALID,
    /** The certificate is for another host. */
    WRONG_HOST,
    /** An RSA key on the path of the server's certificate is too short. */
    SHORT_KEY,
    /** No version of TLS that both sides allow. */
    NO_COMMON_VERSION,
    /** No cipher suite, group or signature algorithm that both sides allow. */
    NO_COMMON_CIPHER,
    /** No application protocol that both sides speak (RFC 7301 §3.2). */
    NO_COMMON_PROTOCOL,
    /** The server wanted a client's certificate, and there was none or not a good one. */
    CLIENT_CERTIFICATE_REFUSED,
    /** The peer went away in the middle of the handshake. */
    TRUNCATED,
    /** What the peer sent is not TLS at all. */
    NOT_TLS,
    /** Anything else; the message says what. */
    OTHER
  }

  private final Reason reason;

  public TlsHandshakeException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
