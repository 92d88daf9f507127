package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** A call was redirected too often, or in a circle. */
public final class TooManyRedirectsException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** Whether the redirects go in a circle. */
  private final boolean circle;

  /** Creates the exception of a failure at this point of a call. */
  public TooManyRedirectsException(String message, boolean circle, @Nullable FailurePoint at) {
    super(message, at, null);
    this.circle = circle;
  }

  /** Whether they led back to a request already made, so that a higher limit does not help. */
  public boolean isCircle() {
    return circle;
  }
}
