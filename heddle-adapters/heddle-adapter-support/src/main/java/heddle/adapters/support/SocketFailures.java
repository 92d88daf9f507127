package heddle.adapters.support;

import heddle.client.spi.AcquireTimeoutException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Translates Heddle's failures into the kinds of {@link IOException} that code over the JDK's
 * sockets catches, with Heddle's exception as the cause. The message says what happened and where,
 * without advice: the settings that Heddle's own message names are not those of the library.
 */
public final class SocketFailures {
  private SocketFailures() {}

  /** Returns the exception to throw for a failure, or the failure itself if no other fits. */
  public static IOException translate(IOException failure) {
    String message = message(failure);
    return switch (failure) {
      case UnresolvedHostException e -> caused(new UnknownHostException(message), e);
      case TlsException e -> caused(new SSLHandshakeException(message), e);
      case DeadlineExceededException e -> caused(new SocketTimeoutException(message), e);
      case AcquireTimeoutException e -> caused(new SocketTimeoutException(message), e);
      case ConnectFailedException e ->
        caused(
            isOutOfTime(e) ? new SocketTimeoutException(message) : new ConnectException(message),
            e);
      default -> failure;
    };
  }

  /** As {@link #translate(IOException)}, for any failure of a future. */
  public static Throwable translate(Throwable failure) {
    return failure instanceof IOException e ? translate(e) : failure;
  }

  private static @Nullable String message(IOException failure) {
    if (!(failure instanceof HttpException known)) {
      return failure.getMessage();
    }
    FailurePoint at = known.at();
    return at == null ? known.problem() : known.problem() + ": " + at;
  }

  private static <T extends IOException> T caused(T exception, IOException cause) {
    exception.initCause(cause);
    return exception;
  }

  private static boolean isOutOfTime(Throwable failure) {
    @Nullable Throwable cause = failure;
    while (cause != null && !(cause instanceof DeadlinePassedException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }
}
