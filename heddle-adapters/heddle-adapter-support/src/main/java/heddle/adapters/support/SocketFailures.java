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
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
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
    String message = problem(failure);
    IOException told =
        switch (failure) {
          case UnresolvedHostException e -> new UnknownHostException(message);
          case TlsException e -> new SSLHandshakeException(message);
          case DeadlineExceededException e -> new SocketTimeoutException(message);
          case AcquireTimeoutException e -> new SocketTimeoutException(message);
          case ConnectFailedException e ->
            isOutOfTime(e) ? new SocketTimeoutException(message) : new ConnectException(message);
          default -> failure;
        };
    if (told != failure) {
      told.initCause(failure);
    }
    return told;
  }

  /** As {@link #translate(IOException)}, for any failure of a future. */
  public static Throwable translate(Throwable failure) {
    return failure instanceof IOException e ? translate(e) : failure;
  }

  /** What has happened and where, without Heddle's advice. */
  public static String problem(IOException failure) {
    if (!(failure instanceof HttpException known)) {
      return String.valueOf(failure.getMessage());
    }
    FailurePoint at = known.at();
    return at == null ? known.problem() : known.problem() + ": " + at;
  }

  /** Returns the first one of this class among a failure and its causes; null if there is none. */
  public static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> kind) {
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      if (kind.isInstance(each)) {
        return kind.cast(each);
      }
    }
    return null;
  }

  /** Returns the exception with this cause, if any, which then gives no advice of Heddle's. */
  public static <T extends IOException> T caused(T exception, @Nullable Throwable cause) {
    exception.initCause(cause instanceof IOException failure ? unadvised(failure) : cause);
    return exception;
  }

  /** Removes Heddle's advice from the failure, if its users do not have Heddle's settings. */
  static IOException unadvised(IOException failure) {
    return failure instanceof HttpException known ? HttpException.advise(known, "") : failure;
  }

  /** As a resolver has failed, or else with the name of the host. */
  public static UnknownHostException unresolved(UnresolvedHostException failure, String host) {
    UnknownHostException own = find(failure, UnknownHostException.class);
    String message = own == null ? null : own.getMessage();
    return caused(new UnknownHostException(message == null ? host : message), failure);
  }

  /** As JSSE's sockets fail, and {@link SSLPeerUnverifiedException} for the wrong server. */
  public static SSLException tls(TlsException failure) {
    String message = problem(failure);
    boolean refused = find(failure, SSLPeerUnverifiedException.class) != null;
    return caused(
        switch (refused ? TlsException.Reason.WRONG_HOST : failure.reason()) {
          case WRONG_HOST -> new SSLPeerUnverifiedException(message);
          case NOT_TLS -> new SSLException(message);
          default -> new SSLHandshakeException(message);
        },
        failure);
  }

  /** Whether the time for connecting had passed. */
  public static boolean isOutOfTime(Throwable failure) {
    return find(failure, DeadlinePassedException.class) != null;
  }
}
