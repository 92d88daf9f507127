package heddle.transport;

import heddle.http.failure.TlsException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A TLS handshake failed. The message names the peer and says what was offered and what was wrong
 * with it. A call that fails with it throws a {@link TlsException} with the same reason.
 */
public final class TlsHandshakeException extends IOException {
  private static final long serialVersionUID = 1L;

  private final TlsException.Reason reason;

  public TlsHandshakeException(
      TlsException.Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public TlsException.Reason reason() {
    return reason;
  }
}
