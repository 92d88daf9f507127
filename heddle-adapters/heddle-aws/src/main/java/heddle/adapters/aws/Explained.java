package heddle.adapters.aws;

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
 * Translates Heddle's failures into the kinds of {@link IOException} that the SDK and its users
 * expect, with Heddle's as the cause. The SDK's own policies retry all of them, like any {@code
 * IOException}.
 */
final class Explained {
  private Explained() {}

  /** Returns the exception to throw for a failure, or the failure itself if no other fits. */
  static IOException of(IOException failure) {
    String message = failure.getMessage();
    return switch (failure) {
      case UnresolvedHostException e -> caused(new UnknownHostException(message), e);
      case TlsException e -> caused(new SSLHandshakeException(message), e);
      case DeadlineExceededException e -> caused(new SocketTimeoutException(message), e);
      case ConnectFailedException e ->
        caused(
            isOutOfTime(e) ? new SocketTimeoutException(message) : new ConnectException(message),
            e);
      default -> failure;
    };
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
