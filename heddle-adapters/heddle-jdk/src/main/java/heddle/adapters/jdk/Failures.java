package heddle.adapters.jdk;

import static heddle.adapters.support.SocketFailures.caused;

import heddle.adapters.support.SocketFailures;
import heddle.client.spi.AcquireTimeoutException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
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

/**
 * Translates Heddle's failures into those of the JDK's client, with Heddle's as the cause. The
 * messages of the JDK's client, which callers check, are prepended to Heddle's, which say more.
 */
final class Failures {
  /** By the error codes of RFC 9113 section 7. Unknown codes are reported as INTERNAL_ERROR. */
  private static final String[] RESETS = {
    "Not an error",
    "Protocol error",
    "Internal error",
    "Flow control error",
    "Settings timeout",
    "Stream is closed",
    "Frame size error",
    "Stream not processed",
    "Stream cancelled",
    "Compression state not updated",
    "TCP Connection error on CONNECT",
    "Processing capacity exceeded",
    "Negotiated TLS parameters not acceptable",
    "Use HTTP/1.1 for request",
  };

  private static final String MALFORMED = "malformed response: ";

  private Failures() {}

  /** Whether a connection was lost before any byte of a response had arrived. */
  static boolean isWithoutResponse(@Nullable IOException failure) {
    return failure instanceof ConnectionLostException lost && lost.progress() == Progress.NOTHING;
  }

  /**
   * Returns what an asynchronous call fails with: the failure itself if it is not Heddle's.
   *
   * @param spoken the version of HTTP on the connection of the call; null for HTTP/1.1 if the
   *     request offers h2c
   */
  static Throwable of(Throwable failure, @Nullable HttpVersion spoken) {
    // Without advice, which would be in the terms of Heddle's API.
    String message = failure instanceof HttpException e ? e.problem() : failure.getMessage();
    return switch (failure) {
      case UnresolvedHostException e -> unresolved(e);
      case TlsException e -> caused(new SSLHandshakeException(message), e);
      case ConnectFailedException e ->
        SocketFailures.isOutOfTime(e)
            ? connectTimedOut(e)
            : caused(new ConnectException(message), e);
      case AcquireTimeoutException e -> connectTimedOut(e);
      case DeadlineExceededException e -> isConnecting(e) ? connectTimedOut(e) : timedOut(e);
      case MalformedMessageException e -> caused(new ProtocolException(wordsOf(e) + message), e);
      case ConnectionLostException e -> caused(new IOException(wordsOf(e, spoken) + message), e);
      case StreamResetException e ->
        caused(new IOException("Received RST_STREAM: " + RESETS[e.code()] + ": " + message), e);
      case RequestNotProcessedException e ->
        caused(new IOException("request not processed by peer: " + message), e);
      case HttpException e -> caused(new IOException(message), e);
      default -> failure;
    };
  }

  /** As {@link #of(Throwable, HttpVersion)}, if the version is unknown. */
  static Throwable of(Throwable failure) {
    return of(failure, HttpVersion.HTTP_1_1);
  }

  // ---- words

  /** Returns an empty string if the JDK's client has no message for it. */
  private static String wordsOf(ConnectionLostException lost, @Nullable HttpVersion spoken) {
    Progress progress = lost.progress();
    // Of HTTP/1.1, a server that closes in order ends content without a length as it should.
    boolean http2 = lost.isOfHttp2() || spoken == HttpVersion.HTTP_2;
    boolean atEnd = http2 || spoken != HttpVersion.HTTP_1_1 || progress == Progress.CONTENT;
    String end = atEnd && lost.closedBy() == Side.PEER ? "EOF reached while reading: " : "";
    if (http2) {
      return end;
    }
    return switch (progress) {
      case NOTHING -> end + "HTTP/1.1 header parser received no bytes: ";
      case SIZED_CONTENT -> "fixed content-length: ";
      case CHUNKS -> "chunked transfer encoding: ";
      case HEAD, CONTENT -> end;
    };
  }

  /** Returns an empty string if the JDK's client has no message for it. */
  private static String wordsOf(MalformedMessageException malformed) {
    if (!malformed.isOfHttp2()) {
      return "";
    }
    return switch (malformed.kind()) {
      case UNKNOWN_PSEUDO_FIELD -> MALFORMED + "Unknown pseudo-header: ";
      case MISPLACED_PSEUDO_FIELD -> MALFORMED + "Pseudo-header is not valid in context RESPONSE: ";
      // One that comes behind a field is none.
      case MISSING_STATUS ->
        MALFORMED + "Unexpected pseudo-header, or no status code in response: ";
      case PROHIBITED_FIELD -> MALFORMED + "Prohibited header name: ";
      case BAD_FIELD -> MALFORMED + "Bad header: ";
      case START_LINE, FRAMING, CODING, LIMIT, OTHER -> "protocol error: ";
    };
  }

  // ---- kinds

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
    return connectTimedOut("; raise HttpClient.Builder.connectTimeout", e);
  }

  /** Callers of the JDK's client check the message of the cause. */
  static IOException connectTimedOut(String advice, @Nullable IOException e) {
    String words = "HTTP connect timed out";
    return caused(
        new HttpConnectTimeoutException(words + advice), caused(new ConnectException(words), e));
  }

  private static IOException timedOut(IOException e) {
    return caused(new HttpTimeoutException("request timed out"), e);
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
