package heddle.har;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** No entry of a recording answers a request. The message names those that are most similar. */
public final class NotRecordedException extends HttpException {
  private static final long serialVersionUID = 1L;

  NotRecordedException(String message, @Nullable FailurePoint at) {
    super(message, at, null);
  }
}
