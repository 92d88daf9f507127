package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * The connection was closed or reset before the message was complete. The message says how
 * many of how many bytes had arrived.
 */
public final class ConnectionLostException extends HttpException {
  private static final long serialVersionUID = 1L;

  public ConnectionLostException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
