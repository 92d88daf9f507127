package heddle.http.failure;

import heddle.http.FailurePoint;
import org.jspecify.annotations.Nullable;

/**
 * A message passed a limit, such as the bytes or the number of its fields: the peer's message one
 * of ours, or a request's head the limit that the server announced (RFC 9113 section 10.5.1).
 */
public final class MessageTooLargeException extends MalformedMessageException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public MessageTooLargeException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(Kind.LIMIT, message, at, cause);
  }
}
