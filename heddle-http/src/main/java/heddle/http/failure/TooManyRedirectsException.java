package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** A call was redirected too often, or in a circle. */
public final class TooManyRedirectsException extends HttpException {
  private static final long serialVersionUID = 1L;

  private final boolean circle;

  public TooManyRedirectsException(String message, boolean circle, @Nullable FailurePoint at) {
    super(message, at, null);
    this.circle = circle;
  }

  /** Whether they led back to a request already made, so that a higher limit does not help. */
  public boolean isCircle() {
    return circle;
  }
}
