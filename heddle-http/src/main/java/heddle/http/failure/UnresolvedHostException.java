package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** No address was found for the origin's host. */
public final class UnresolvedHostException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public UnresolvedHostException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
