package heddle.adapters.apache5;

import heddle.client.spi.AcquireTimeoutException;
import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Translates Heddle's exceptions into those that callers of Apache's client and its retry
 * strategies expect, with Heddle's as the cause.
 */
final class Failures {
  private Failures() {}

  /**
   * Returns the exception to throw for one of Heddle's, or itself if Apache has no such exception.
   */
  static IOException translate(IOException e, Leased leased) {
    HttpHost host = leased.host();
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case UnresolvedHostException unresolved -> unresolved(unresolved, host);
      case TlsException tls -> caused(tls(tls, message), tls);
      case ConnectFailedException refused -> caused(refused(refused, message, leased), refused);
      case AcquireTimeoutException late ->
        caused(new ConnectionRequestTimeoutException(message), late);
      case DeadlineExceededException late -> caused(new SocketTimeoutException(message), late);
      case ClientClosedException closed -> CallScope.ended(closed);
      case ConnectionLostException lost -> lost(lost, message, host);
      case StreamResetException reset -> caused(reset(reset.code(), message), reset);
      // By RST_STREAM or GOAWAY. Strategies repeat idempotent requests after the former, so report
      // both as that.
      case RequestNotProcessedException refused
      when refused.isRefused() -> caused(reset(H2Error.REFUSED_STREAM.getCode(), message), refused);
      case MessageTooLargeException large -> caused(new MessageConstraintException(message), large);
      // In a head this is a protocol violation, for which the caller checks first.
      case MalformedMessageException malformed ->
        caused(new MalformedChunkCodingException(message), malformed);
      default -> e;
    };
  }

  /**
   * The same for the asynchronous client, whose own connections report a closed connection where
   * those of the classic client report a missing response. Strategies repeat requests after that.
   */
  static IOException translateAsynchronous(IOException e, Leased leased) {
    IOException told = translate(e, leased);
    return told instanceof NoHttpResponseException
        ? new ConnectionClosedException(String.valueOf(told.getMessage()), e)
        : told;
  }

  private static H2StreamResetException reset(int code, String message) {
    return new H2StreamResetException(code, message);
  }

  private static IOException unresolved(UnresolvedHostException e, HttpHost host) {
    UnknownHostException told = find(e, UnknownHostException.class);
    String message = told == null ? null : told.getMessage();
    return caused(new UnknownHostException(message == null ? host.getHostName() : message), e);
  }

  private static IOException refused(ConnectFailedException e, String message, Leased leased) {
    HttpHost host = leased.host();
    String told = "Connect to " + host + " failed: ";
    // The wording of both of Apache's clients, which some callers check.
    if (phase(e) == Phase.TLS) {
      String late = "Read timed out, " + inMillis(leased.settings().tls());
      return new ConnectTimeoutException(told + late + ": " + message, host);
    }
    if (find(e, DeadlinePassedException.class) != null) {
      String late = "Connect timed out, " + inMillis(leased.settings().connect());
      return new ConnectTimeoutException(told + late + ": " + message, host);
    }
    return new HttpHostConnectException(told + message, host);
  }

  private static Timeout inMillis(Duration limit) {
    return Timeout.ofMilliseconds(limit.toMillis());
  }

  private static SSLException tls(TlsException e, String message) {
    if (find(e, SSLPeerUnverifiedException.class) != null) {
      return new SSLPeerUnverifiedException(message); // a hostname verifier has rejected the server
    }
    return switch (e.reason()) {
      case WRONG_HOST -> new SSLPeerUnverifiedException(message);
      case NOT_TLS -> new SSLException(message);
      default -> new SSLHandshakeException(message);
    };
  }

  private static IOException lost(ConnectionLostException e, String message, HttpHost host) {
    SocketException socket = find(e, SocketException.class);
    if (socket != null) {
      return caused(new SocketException(socket.getMessage()), e);
    }
    if (e.progress() != Progress.NOTHING) {
      return new ConnectionClosedException(message, e);
    }
    return new NoHttpResponseException(host + " failed to respond: " + message, e);
  }

  private static @Nullable Phase phase(HttpException e) {
    FailurePoint at = e.at();
    return at == null ? null : at.phase();
  }

  private static <X extends Throwable> @Nullable X find(Throwable e, Class<X> kind) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (kind.isInstance(each)) {
        return kind.cast(each);
      }
    }
    return null;
  }

  private static <X extends IOException> X caused(X made, Throwable cause) {
    made.initCause(cause);
    return made;
  }
}
