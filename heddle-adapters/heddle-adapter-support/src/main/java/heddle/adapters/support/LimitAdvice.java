package heddle.adapters.support;

import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolQueueFullException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Translates failures as {@link SocketFailures} does. If a limit has ended the call, the message
 * names what the library's users set to raise it.
 *
 * @param connect sets the time for opening a connection
 * @param handshake sets the time for the TLS handshake
 * @param response sets how long the server may be silent, or a call may take
 * @param waiting sets how long a call waits for a connection; null if users cannot set it
 * @param queue sets how many calls wait for a connection; null to keep Heddle's exception
 */
public record LimitAdvice(
    String connect,
    String handshake,
    String response,
    @Nullable String waiting,
    @Nullable String queue) {

  /** For a library with one option for connection and handshake, and none for waiting. */
  public LimitAdvice(String connect, String response) {
    this(connect, connect, response, null, null);
  }

  /** Returns the exception to throw for a failure, with this advice. */
  public IOException translate(IOException failure) {
    IOException told = SocketFailures.translate(failure);
    if (told != failure) {
      SocketFailures.unadvised(failure);
    }
    String option = option(failure, told instanceof SocketTimeoutException);
    if (option == null || !(failure instanceof HttpException known)) {
      return told;
    }
    FailurePoint at = known.at();
    String message = known.problem() + "; raise " + option + (at == null ? "" : ": " + at);
    IOException advised = told instanceof SocketTimeoutException
        ? new SocketTimeoutException(message)
        : new IOException(message);
    return SocketFailures.caused(advised, failure);
  }

  /** As {@link #translate(IOException)}, for any failure of a future. */
  public Throwable translate(Throwable failure) {
    return failure instanceof IOException e ? translate(e) : failure;
  }

  private @Nullable String option(IOException failure, boolean timeout) {
    return switch (failure) {
      case AcquireTimeoutException e -> waiting;
      case PoolQueueFullException e -> queue;
      case ConnectFailedException e
      when timeout -> e.at() != null && e.at().phase() == Phase.TLS ? handshake : connect;
      case DeadlineExceededException e -> response;
      default -> null;
    };
  }
}
