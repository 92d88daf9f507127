package heddle.adapters.support;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Translates failures of a client whose library limits only the time of connecting and of reading.
 * Timeouts name the limit that passed, and what the library's users set to raise it.
 *
 * @param connect the connect timeout
 * @param connectOption what sets it
 * @param read how long the server may be silent
 * @param readOption what sets it
 */
public record TimeoutAdvice(
    Duration connect, String connectOption, Duration read, String readOption) {

  /** As {@link SocketFailures#translate(IOException)}, with this advice. */
  public IOException translate(IOException failure) {
    IOException told = SocketFailures.translate(failure);
    if (!(told instanceof SocketTimeoutException) || !(failure instanceof HttpException known)) {
      return told;
    }
    String message =
        switch (known) {
          case ConnectFailedException e -> message("no connection", connect, connectOption, e.at());
          case DeadlineExceededException e ->
            message("the server sent nothing", read, readOption, e.at());
          default -> null;
        };
    if (message == null) {
      return told;
    }
    SocketTimeoutException timeout = new SocketTimeoutException(message);
    timeout.initCause(failure);
    return timeout;
  }

  private static String message(
      String problem, Duration limit, String option, @Nullable FailurePoint at) {
    String where = at == null ? "" : ": " + at;
    return problem + " for " + limit.toMillis() + " ms; raise " + option + where;
  }
}
