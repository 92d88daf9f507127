package heddle.adapters.apache5;

import static heddle.adapters.support.SocketFailures.caused;
import static heddle.adapters.support.SocketFailures.find;

import heddle.adapters.support.SocketFailures;
import heddle.adapters.support.lease.LeaseClients.Times;
import heddle.client.spi.AcquireTimeoutException;
import heddle.http.FailurePoint;
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
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
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
 * strategies expect, with Heddle's as the cause. Messages name Apache's options.
 */
final class Failures {
  private static final String CONNECT = "ConnectionConfig.setConnectTimeout";
  private static final String HANDSHAKE = "TlsConfig.setHandshakeTimeout";
  private static final String READ =
      "RequestConfig.setResponseTimeout or ConnectionConfig.setSocketTimeout";

  private Failures() {}

  /** The exception for a thread whose call was ended, as of a socket that another thread closed. */
  static SocketException closed(@Nullable IOException because) {
    SocketException failure = new SocketException("Socket closed");
    return because == null ? failure : caused(failure, because);
  }

  /**
   * Returns the exception to throw for one of Heddle's, or itself if Apache has no such exception.
   *
   * @param settings of the call
   */
  static IOException translate(IOException e, HttpHost host, Settings settings) {
    String message = SocketFailures.problem(e);
    return switch (e) {
      case UnresolvedHostException unresolved ->
        SocketFailures.unresolved(unresolved, host.getHostName());
      case TlsException tls -> SocketFailures.tls(tls);
      case ConnectFailedException refused ->
        caused(refused(refused, message, host, settings.times()), refused);
      case AcquireTimeoutException late ->
        caused(
            new ConnectionRequestTimeoutException(
                message + "; raise setMaxConnTotal or setMaxConnPerRoute"),
            late);
      case DeadlineExceededException late ->
        caused(new SocketTimeoutException("Read timed out: " + message + "; raise " + READ), late);
      case ClientClosedException closed -> closed(closed);
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
   * The same for the asynchronous client, whose own connections report a missing response as a
   * closed connection, after which retry strategies do not repeat a request. A server may have
   * closed a reused connection because it was idle, so there the missing response is reported.
   *
   * @param reused whether the connection has served another request before
   */
  static IOException translateAsynchronous(
      IOException e, HttpHost host, Settings settings, boolean reused) {
    IOException told = translate(e, host, settings);
    return told instanceof NoHttpResponseException && !reused
        ? new ConnectionClosedException(String.valueOf(told.getMessage()), e)
        : told;
  }

  private static H2StreamResetException reset(int code, String message) {
    return new H2StreamResetException(code, message);
  }

  private static IOException refused(
      ConnectFailedException e, String message, HttpHost host, Times times) {
    String told = "Connect to " + host + " failed: ";
    FailurePoint at = e.at();
    // The wording of both of Apache's clients, which some callers check.
    if (at != null && at.phase() == Phase.TLS) {
      return late(told + "Read timed out, ", times.tls(), message, HANDSHAKE, host);
    }
    return SocketFailures.isOutOfTime(e)
        ? late(told + "Connect timed out, ", times.connect(), message, CONNECT, host)
        : new HttpHostConnectException(told + message, host);
  }

  private static IOException late(
      String told, Duration limit, String message, String option, HttpHost host) {
    Timeout passed = Timeout.ofMilliseconds(limit.toMillis());
    return new ConnectTimeoutException(told + passed + ": " + message + "; raise " + option, host);
  }

  private static IOException lost(ConnectionLostException e, String message, HttpHost host) {
    SocketException socket = find(e, SocketException.class);
    if (socket != null) {
      return caused(new SocketException(socket.getMessage()), e);
    }
    return e.progress() == Progress.NOTHING
        ? new NoHttpResponseException(host + " failed to respond: " + message, e)
        : new ConnectionClosedException(message, e);
  }
}
