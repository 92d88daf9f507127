package heddle.adapters.apache4;

import heddle.client.spi.AcquireTimeoutException;
import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.http.ConnectionClosedException;
import org.apache.http.HttpHost;
import org.apache.http.MalformedChunkCodingException;
import org.apache.http.MessageConstraintException;
import org.apache.http.NoHttpResponseException;
import org.apache.http.TruncatedChunkException;
import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.apache.http.conn.HttpHostConnectException;
import org.jspecify.annotations.Nullable;

/**
 * Translates Heddle's exceptions into those that callers of Apache's client and its retry handlers
 * expect, with Heddle's as the cause.
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
      case CallCancelledException cancelled ->
        caused(new SocketException("Socket closed"), cancelled);
      case ClientClosedException closed -> caused(new SocketException("Socket closed"), closed);
      case UnresolvedHostException unresolved -> unresolved(unresolved, host);
      case TlsException tls -> caused(tls(tls, message), tls);
      case ConnectFailedException refused
      when isLate(refused) -> new ConnectTimeoutException(refused, host);
      case ConnectFailedException refused -> new HttpHostConnectException(refused, host);
      case AcquireTimeoutException late ->
        caused(new ConnectionPoolTimeoutException(message), late);
      case DeadlineExceededException late -> caused(new SocketTimeoutException(message), late);
      case ConnectionLostException lost -> caused(lost(lost, message, host), lost);
      case MessageTooLargeException large -> caused(new MessageConstraintException(message), large);
      // In a head this is a protocol violation, for which the caller checks first.
      case MalformedMessageException malformed ->
        caused(new MalformedChunkCodingException(message), malformed);
      default -> e;
    };
  }

  private static IOException unresolved(UnresolvedHostException e, HttpHost host) {
    UnknownHostException told = find(e, UnknownHostException.class);
    String message = told == null ? null : told.getMessage();
    return caused(new UnknownHostException(message == null ? host.getHostName() : message), e);
  }

  private static boolean isLate(ConnectFailedException e) {
    FailurePoint at = e.at();
    return (at != null && at.phase() == Phase.TLS)
        || find(e, DeadlinePassedException.class) != null;
  }

  private static SSLException tls(TlsException e, String message) {
    return switch (e.reason()) {
      case WRONG_HOST -> new SSLPeerUnverifiedException(message);
      case NOT_TLS -> new SSLException(message);
      default -> new SSLHandshakeException(message);
    };
  }

  private static IOException lost(ConnectionLostException e, String message, HttpHost host) {
    SocketException socket = find(e, SocketException.class);
    if (socket != null) {
      return new SocketException(socket.getMessage());
    }
    return switch (e.progress()) {
      case NOTHING -> new NoHttpResponseException(host + " failed to respond: " + message);
      case CHUNKS -> new TruncatedChunkException(message);
      case HEAD, SIZED_CONTENT, CONTENT -> new ConnectionClosedException(message);
    };
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
