package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** The time that the call, or a part of it, may take was over before that was complete. */
public final class DeadlineExceededException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public DeadlineExceededException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
