package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * No address of the origin accepted a connection, or it did not finish the TLS handshake in time. A
 * handshake that was refused is a {@link TlsException}.
 */
public sealed class ConnectFailedException extends HttpException permits TooManyOpenFilesException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public ConnectFailedException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
