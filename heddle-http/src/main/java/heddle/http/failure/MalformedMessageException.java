package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** The peer sent what the protocol does not allow. */
public class MalformedMessageException extends HttpException {
  private static final long serialVersionUID = 1L;

  public MalformedMessageException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
