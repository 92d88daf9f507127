package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * The server has not processed the request, so that it may be sent again whatever its method is: it
 * refused its stream, went away before it (RFC 9113 sections 6.8 and 8.7), or was never sent it.
 */
public final class RequestNotProcessedException extends HttpException {
  private static final long serialVersionUID = 1L;

  public RequestNotProcessedException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
