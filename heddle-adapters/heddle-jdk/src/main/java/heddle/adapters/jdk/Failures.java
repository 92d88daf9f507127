package heddle.adapters.jdk;

import heddle.adapters.jdk.Words.Spoken;
import heddle.client.spi.AcquireTimeoutException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Translates Heddle's failures into those of the JDK's client, with Heddle's as the cause. */
final class Failures {
  private Failures() {}

  /** Whether a connection was lost before any byte of a response had arrived. */
  static boolean isWithoutResponse(@Nullable IOException failure) {
    return failure instanceof ConnectionLostException lost && lost.progress() == Progress.NOTHING;
  }

  /**
   * Returns what an asynchronous call fails with: the failure itself if it is not Heddle's.
   *
   * @param spoken the version of HTTP on the connection of the call
   */
  static Throwable of(Throwable failure, Spoken spoken) {
    // Without advice, which would be in the terms of Heddle's API.
    String message = failure instanceof HttpException e ? e.problem() : failure.getMessage();
    return switch (failure) {
      case UnresolvedHostException e -> unresolved(e);
      case TlsException e -> caused(new SSLHandshakeException(message), e);
      case ConnectFailedException e ->
        isOutOfTime(e) ? connectTimedOut(e) : caused(new ConnectException(message), e);
      case AcquireTimeoutException e -> connectTimedOut(e);
      case DeadlineExceededException e -> isConnecting(e) ? connectTimedOut(e) : timedOut(e);
      case MalformedMessageException e ->
        caused(new ProtocolException(Words.ofMalformed(e) + message), e);
      case ConnectionLostException e ->
        caused(new IOException(Words.ofLoss(e, spoken) + message), e);
      case StreamResetException e ->
        caused(new IOException(Words.ofReset(e.code()) + ": " + message), e);
      case RequestNotProcessedException e ->
        caused(new IOException("request not processed by peer: " + message), e);
      case HttpException e -> caused(new IOException(message), e);
      default -> failure;
    };
  }

  /** As {@link #of(Throwable, Spoken)}, if the version is unknown. */
  static Throwable of(Throwable failure) {
    return of(failure, Spoken.HTTP_1_1);
  }

  private static boolean isConnecting(HttpException e) {
    FailurePoint at = e.at();
    return at != null
        && switch (at.phase()) {
          case QUEUE, RESOLVE, CONNECT, TLS -> true;
          case SEND, AWAIT_HEAD, READ_BODY, BACKOFF -> false;
        };
  }

  /** Callers of the JDK's client recognise it by this cause. */
  private static IOException unresolved(UnresolvedHostException e) {
    UnresolvedAddressException unresolved = new UnresolvedAddressException();
    unresolved.initCause(e);
    return caused(new ConnectException(e.problem()), unresolved);
  }

  private static IOException connectTimedOut(IOException e) {
    String words = "HTTP connect timed out";
    return caused(new HttpConnectTimeoutException(words), caused(new ConnectException(words), e));
  }

  private static IOException timedOut(IOException e) {
    return caused(new HttpTimeoutException("request timed out"), e);
  }

  private static boolean isOutOfTime(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof DeadlinePassedException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  private static <T extends IOException> T caused(T exception, Throwable cause) {
    exception.initCause(cause);
    return exception;
  }

  /** What a stage has failed with, without the {@code CompletionException} around it. */
  static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /**
   * Returns what a blocking call throws: a new exception of the failure's class, with the caller's
   * stack and the failure as its cause.
   *
   * @throws IllegalArgumentException if the failure is one
   * @throws SecurityException if the failure is one
   */
  static IOException fresh(Throwable failure) {
    String message = failure.getMessage();
    return switch (failure) {
      case IllegalArgumentException e -> throw new IllegalArgumentException(message, e);
      case SecurityException e -> throw new SecurityException(message, e);
      case HttpConnectTimeoutException e -> caused(new HttpConnectTimeoutException(message), e);
      case HttpTimeoutException e -> caused(new HttpTimeoutException(message), e);
      case ConnectException e -> caused(new ConnectException(message), e);
      case SSLHandshakeException e -> caused(new SSLHandshakeException(message), e);
      case SSLException e -> caused(new SSLException(message), e);
      case ProtocolException e -> caused(new ProtocolException(message), e);
      default -> new IOException(message, failure);
    };
  }
}
