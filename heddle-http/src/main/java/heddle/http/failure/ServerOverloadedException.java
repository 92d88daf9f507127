package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * A server holds as much for its clients as its memory budget allows, and so does not collect the
 * content of one more request in memory. A handler lets it pass: the request is answered 503 (RFC
 * 9110 section 15.6.4) with Retry-After.
 */
public final class ServerOverloadedException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public ServerOverloadedException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }

  /** Whether a failure is of this class, or was caused by one. */
  public static boolean isBehind(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ServerOverloadedException) {
        return true;
      }
    }
    return false;
  }
}
