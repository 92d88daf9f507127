package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * The server has not processed the request, so that it may be sent again whatever its method is:
 * the server refused its stream or sent GOAWAY (RFC 9113 sections 6.8 and 8.7), or the request was
 * never sent.
 */
public final class RequestNotProcessedException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** Whether the server has refused the request. */
  private final boolean refused;

  /** Creates the exception of a failure at this point of a call. */
  public RequestNotProcessedException(
      String message, boolean refused, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
    this.refused = refused;
  }

  /** Whether the server said so, after it got a part of it; false if the request was never sent. */
  public boolean isRefused() {
    return refused;
  }
}
