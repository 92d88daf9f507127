package heddle.http.failure;

import heddle.http.FailurePoint;
import org.jspecify.annotations.Nullable;

/** The peer's message passed a limit, such as the bytes or the number of its fields. */
public final class MessageTooLargeException extends MalformedMessageException {
  private static final long serialVersionUID = 1L;

  public MessageTooLargeException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
