package heddle.adapters.support;

import heddle.client.pool.AcquireTimeoutException;
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
 * Failures of ours as the kinds of {@link IOException} that code over the JDK's sockets catches,
 * with ours as their cause and its message.
 */
public final class SocketFailures {
  private SocketFailures() {}

  /** The exception to throw for a failure; the failure itself where there is no better one. */
  public static IOException translate(IOException failure) {
    String message = failure.getMessage();
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

  /** As {@link #translate(IOException)}, of whatever a future has failed with. */
  public static Throwable translate(Throwable failure) {
    return failure instanceof IOException e ? translate(e) : failure;
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
