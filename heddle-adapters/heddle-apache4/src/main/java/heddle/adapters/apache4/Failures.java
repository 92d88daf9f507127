package heddle.adapters.apache4;

import static heddle.adapters.support.SocketFailures.caused;
import static heddle.adapters.support.SocketFailures.find;

import heddle.adapters.support.SocketFailures;
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
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.apache.http.ConnectionClosedException;
import org.apache.http.HttpHost;
import org.apache.http.MalformedChunkCodingException;
import org.apache.http.MessageConstraintException;
import org.apache.http.NoHttpResponseException;
import org.apache.http.TruncatedChunkException;
import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.apache.http.conn.HttpHostConnectException;

/**
 * Translates Heddle's exceptions into those that callers of Apache's client and its retry handlers
 * expect, with Heddle's as the cause. Messages name Apache's options.
 */
final class Failures {
  private static final String CONNECT = "RequestConfig.setConnectTimeout";
  private static final String HANDSHAKE = "SocketConfig.setSoTimeout";
  private static final String READ = "RequestConfig.setSocketTimeout";

  private Failures() {}

  /**
   * Returns the exception to throw for one of Heddle's, or itself if Apache has no such exception.
   */
  static IOException translate(IOException e, HttpHost host) {
    String message = SocketFailures.problem(e);
    return switch (e) {
      case CallCancelledException cancelled ->
        caused(new SocketException("Socket closed"), cancelled);
      case ClientClosedException closed -> caused(new SocketException("Socket closed"), closed);
      case UnresolvedHostException unresolved ->
        SocketFailures.unresolved(unresolved, host.getHostName());
      case TlsException tls -> SocketFailures.tls(tls);
      case ConnectFailedException refused -> refused(refused, message, host);
      case AcquireTimeoutException late ->
        caused(
            new ConnectionPoolTimeoutException(
                message + "; raise setMaxConnTotal or setMaxConnPerRoute"),
            late);
      case DeadlineExceededException late ->
        caused(new SocketTimeoutException("Read timed out: " + message + "; raise " + READ), late);
      case ConnectionLostException lost -> caused(lost(lost, message, host), lost);
      case MessageTooLargeException large -> caused(new MessageConstraintException(message), large);
      // In a head this is a protocol violation, for which the caller checks first.
      case MalformedMessageException malformed ->
        caused(new MalformedChunkCodingException(message), malformed);
      default -> e;
    };
  }

  private static IOException refused(ConnectFailedException e, String message, HttpHost host) {
    FailurePoint at = e.at();
    boolean handshake = at != null && at.phase() == Phase.TLS;
    if (!handshake && !SocketFailures.isOutOfTime(e)) {
      return new HttpHostConnectException(e, host);
    }
    String option = handshake ? HANDSHAKE : CONNECT;
    return caused(
        new ConnectTimeoutException(
            "Connect to " + host.toHostString() + " failed: " + message + "; raise " + option),
        e);
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
}
