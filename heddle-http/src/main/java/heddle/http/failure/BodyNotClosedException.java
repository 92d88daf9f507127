package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response was garbage collected although it was neither read to its end nor closed.
 * It is not thrown to a caller: call listeners receive it as the end of the call.
 */
public final class BodyNotClosedException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** An exception; its cause has the stack of the code that acquired the response, if recorded. */
  public BodyNotClosedException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
