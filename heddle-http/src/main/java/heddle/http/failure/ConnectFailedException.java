package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** No address of the origin accepted a connection, or its TLS handshake failed. */
public final class ConnectFailedException extends HttpException {
  private static final long serialVersionUID = 1L;

  public ConnectFailedException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
