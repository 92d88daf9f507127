package heddle.adapters.spring;

import heddle.adapters.spring.HeddleClientHttpRequestFactory.Options;
import heddle.adapters.support.SocketFailures;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Translates failures, with the advice that users of Spring can follow. */
final class Failures {
  private Failures() {}

  /**
   * Returns the exception to throw for a failure.
   *
   * @param options of the client; null if they are not known
   */
  static IOException translate(IOException failure, @Nullable Options options) {
    IOException told = SocketFailures.translate(failure);
    if (options == null
        || !(told instanceof SocketTimeoutException)
        || !(failure instanceof HttpException known)) {
      return told;
    }
    String message =
        switch (known) {
          case ConnectFailedException e ->
            "no connection"
                + advice(options.connectTimeout(), "setConnectTimeout", "connect-timeout", e.at());
          case DeadlineExceededException e ->
            "the server sent nothing"
                + advice(options.readTimeout(), "setReadTimeout", "read-timeout", e.at());
          default -> null;
        };
    if (message == null) {
      return told;
    }
    SocketTimeoutException timeout = new SocketTimeoutException(message);
    timeout.initCause(failure);
    return timeout;
  }

  private static String advice(
      Duration limit, String setter, String property, @Nullable FailurePoint at) {
    return " for " + limit.toMillis() + " ms; raise " + setter
        + " of the request factory, or spring.http.clients." + property + " of Spring Boot"
        + (at == null ? "" : ": " + at);
  }
}
