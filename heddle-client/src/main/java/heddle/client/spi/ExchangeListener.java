package heddle.client.spi;

import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Listens to calls and connections. Override the methods that you need; by default they do nothing.
 *
 * <p>The methods for calls are called on the thread that makes the call, in the order in which they
 * are listed here. They repeat from {@link #attemptStarted} if the request is sent again, or if
 * another request follows, as after a redirect: that is one call with several attempts. {@link
 * #callEnded} is called on the thread that read or closed the response's body. The methods for
 * connections are called on various threads, never on an event loop. Many threads call at once.
 *
 * <p>A listener should be quick, since the call waits. What it throws is caught and logged.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder()
 *     .listener(new ExchangeListener() {
 *       @Override
 *       public void callEnded(CallSummary summary) {
 *         System.out.println(summary.call() + " took " + summary.elapsed());
 *       }
 *     })
 *     .build();
 * }</pre>
 */
public interface ExchangeListener {
  /**
   * A call begins; {@link #callEnded} follows exactly once. Called on the caller's thread, which
   * for {@code sendAsync} is not the one that makes the call: use it to capture thread-local state.
   */
  default void callStarted(CallInfo call) {}

  /** The request is about to be tried. {@link #attemptEnded} follows exactly once. */
  default void attemptStarted(AttemptInfo attempt) {}

  /** No connection is free and none may be opened: the attempt waits in its route's queue. */
  default void queued(AttemptInfo attempt) {}

  /**
   * The pool refused the attempt a connection, or its deadline passed in the queue.
   *
   * @param failure whose message describes the state of the pool
   */
  default void poolRefused(AttemptInfo attempt, IOException failure) {}

  /**
   * The host was looked up, or the proxy's if there is one. With {@code coalesceOrigins}, also
   * called for the lookup that searches a connection of another origin, and again if none is found.
   *
   * @param addresses in the order in which they will be tried; not empty
   */
  default void resolved(
      AttemptInfo attempt, String host, List<InetAddress> addresses, Duration took) {}

  /**
   * A new connection was opened for the attempt. Called once more if a proxy that opens tunnels has
   * closed the first connection after it asked for credentials.
   *
   * @param address of the peer, which is the proxy if there is one
   * @param took since the first address was tried
   */
  default void connected(AttemptInfo attempt, SocketAddress address, Duration took) {}

  /**
   * The TLS handshake succeeded.
   *
   * @param applicationProtocol what both sides agreed on by ALPN (RFC 7301); null for nothing
   */
  default void secured(AttemptInfo attempt, @Nullable String applicationProtocol, Duration took) {}

  /**
   * The attempt has its connection.
   *
   * @param reused whether it served another call before
   * @param took since the attempt began
   */
  default void acquired(
      AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {}

  /**
   * The request was written, or as much of it as was needed before the response.
   *
   * @param took since the attempt got its connection
   */
  default void requestSent(AttemptInfo attempt, Duration took) {}

  /**
   * The head of the response has arrived; its body may still be arriving.
   *
   * @param fields as the server sent them, credentials included
   * @param took since the request was sent
   */
  default void responseHead(AttemptInfo attempt, Status status, Headers fields, Duration took) {}

  /**
   * The attempt has brought a response's head, or failed.
   *
   * @param status null if it failed
   * @param failure null if there is a response
   */
  default void attemptEnded(
      AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {}

  /**
   * The request will be tried again.
   *
   * @param ended the last attempt, which {@link #attemptEnded} has reported
   * @param delay how long the call waits before the next attempt
   */
  default void retried(AttemptInfo ended, Duration delay) {}

  /**
   * A step of the call sends a further request, as after a redirect or a challenge, or when an
   * {@link Interceptor} proceeds once more. {@link #attemptStarted} follows.
   *
   * @param ended the last attempt, which {@link #attemptEnded} has reported
   */
  default void followed(AttemptInfo ended, Request next) {}

  /**
   * The call is over; no further method is called for it. If the caller neither reads nor closes a
   * response, its body is found as garbage: then this is called on another thread, with a {@link
   * heddle.http.failure.BodyNotClosedException} as failure.
   */
  default void callEnded(CallSummary summary) {}

  /** A connection was opened and can carry requests. */
  default void connectionOpened(ConnectionInfo connection) {}

  /**
   * A connection was closed, by either side.
   *
   * @param age since it was opened
   */
  default void connectionClosed(ConnectionInfo connection, Duration age) {}
}
