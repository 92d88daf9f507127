package heddle.client.spi;

import heddle.http.Request;
import heddle.http.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sees what happens to calls and connections. Implement what you need; all does nothing by default.
 *
 * <p>What concerns a call is told on the thread that makes it, in the order of these methods, and
 * repeated from {@link #attemptStarted} where the request is sent again, or another one in its
 * place, as after a redirect: that is one call with several attempts, whose {@link
 * AttemptInfo#request} tells them apart. {@link #callEnded} is told on the thread that read or
 * closed the response's body. What concerns a connection is told on a thread of
 * that moment. Never on the thread that serves others. Many threads call at the same time.
 *
 * <p>A listener should be quick: the call waits for it. What it throws is caught, logged and
 * counted, and has no effect on the call.
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
   * A call begins. {@link #callEnded} follows exactly once, whatever happens. Told on the thread of
   * whoever calls, which is not the one that makes the call where that is made by {@code
   * sendAsync}: the place to take along what belongs to the caller's thread.
   */
  default void callStarted(CallInfo call) {}

  /** The request is about to be tried. {@link #attemptEnded} follows exactly once. */
  default void attemptStarted(AttemptInfo attempt) {}

  /** No connection is free and none may be opened: the attempt waits in its route's queue. */
  default void queued(AttemptInfo attempt) {}

  /**
   * The pool refused the attempt a connection.
   *
   * @param failure whose message says what the pool held
   */
  default void poolRefused(AttemptInfo attempt, IOException failure) {}

  /**
   * The host was looked up, by whatever means; the proxy's where one is asked first. Where calls
   * may use the connections of other origins ({@code coalesceOrigins}), also to find one, and again
   * if none is found.
   *
   * @param addresses in the order in which they will be tried; not empty
   */
  default void resolved(
      AttemptInfo attempt, String host, List<InetAddress> addresses, Duration took) {}

  /**
   * A new connection was opened for the attempt; through a proxy if that is the way, whose address
   * is told then.
   *
   * @param took since the first address was tried
   */
  default void connected(AttemptInfo attempt, SocketAddress address, Duration took) {}

  /**
   * The TLS handshake has succeeded.
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
   * The request was written, or as much of it as had to be before the response.
   *
   * @param took since the connection was there
   */
  default void requestSent(AttemptInfo attempt, Duration took) {}

  /**
   * The head of the response is there; its body may still be on its way.
   *
   * @param took since the request was sent
   */
  default void responseHead(AttemptInfo attempt, Status status, Duration took) {}

  /**
   * The attempt has brought a response's head, or failed.
   *
   * @param status null where it failed
   * @param failure null where there is a response
   */
  default void attemptEnded(
      AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {}

  /**
   * The request will be tried again.
   *
   * @param ended the attempt that was not good enough, by {@link #attemptEnded}'s account
   * @param delay how long the call waits before
   */
  default void retried(AttemptInfo ended, Duration delay) {}

  /**
   * A step of the call goes on with a further request, as after a redirect or a challenge, or when
   * an {@link Interceptor} proceeds once more. {@link #attemptStarted} follows.
   *
   * @param ended the attempt before, by {@link #attemptEnded}'s account
   */
  default void followed(AttemptInfo ended, Request next) {}

  /**
   * The call is over: the last thing that is told of it. Of a response that nobody read or closed
   * it is told once its body is found to be garbage, with a {@link
   * heddle.http.failure.BodyNotClosedException} as failure and on a thread of that moment.
   */
  default void callEnded(CallSummary summary) {}

  /** A connection was opened and can carry requests. */
  default void connectionOpened(ConnectionInfo connection) {}

  /**
   * A connection was closed, by whomever.
   *
   * @param age since it was opened
   */
  default void connectionClosed(ConnectionInfo connection, Duration age) {}
}
