package heddle.connection;

import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.transport.SecureChannel;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.List;

/**
 * One request and its response, as the call that owns it sees them. A connection gets the limits
 * from it and reports progress to it.
 */
public interface Exchange {
  /**
   * By when the exchange must be over, as far as is known now: it may move on when {@linkplain
   * #contentSent content was sent} and when the caller gets the response. From any thread.
   */
  Deadline deadline();

  /**
   * A piece of the request's content was sent. On the thread that sends it, perhaps after another
   * one has got the response.
   */
  default void contentSent() {}

  /** How long the peer may be silent while a head or a body is awaited, in nanoseconds. */
  long maxSilenceNanos();

  /** How long the peer may be silent, in nanoseconds, once the response has begun or before. */
  default long maxSilenceNanos(boolean begun) {
    return maxSilenceNanos();
  }

  /** How fast the content of the response must come; {@link MinimumRate#OFF} by default. */
  default MinimumRate minRate() {
    return MinimumRate.OFF;
  }

  /** How long a request's content waits for 100 (Continue), in nanoseconds. */
  default long continueNanos() {
    return 1_000_000_000;
  }

  /** A phase begins. */
  void enter(Phase phase);

  /**
   * A phase begins.
   *
   * @param now the time; if the phase before took almost no time, as writing a head does, this may
   *     be when that began
   */
  default void enter(Phase phase, long now) {
    enter(phase);
  }

  /** What is known now about whether the peer got the request. */
  void sent(Sent sent);

  /**
   * Whether a connection that carries one exchange at a time may carry another after a response
   * with this status; on the call's thread, once its head has arrived.
   */
  default boolean keepsConnection(Status status) {
    return true;
  }

  /** How far the call has come, for an exception. */
  FailurePoint point();

  /** What the call throws for a cause, with its {@link #point}. */
  default IOException explain(Exception cause) {
    return Failures.explain(cause, point());
  }

  /**
   * A final response came while the request's content waited for 100 (Continue): none of that was
   * read or sent, and none will be.
   */
  default void contentWithheld() {}

  // ---- events for listeners; on the call's thread, in this order

  /** The call waits in its route's queue. */
  default void queued() {}

  /** A host is looked up from now on, in {@link Phase#RESOLVE}: the proxy's if there is one. */
  default void resolving(String host) {
    enter(Phase.RESOLVE);
  }

  /** The host was looked up; before {@link Phase#CONNECT} is entered. */
  default void resolved(String host, List<InetAddress> addresses) {}

  /** A channel was opened; before {@link Phase#TLS} or {@link Phase#SEND} is entered. */
  default void connected(SocketAddress address) {}

  /** The TLS handshake has succeeded. */
  default void secured(SecureChannel channel) {}

  /** How many bytes of the response's content have arrived in all; before {@link #ended}. */
  default void received(long bytes) {}

  /**
   * What reading the response's body throws, on the reader's thread, or that the body was found
   * unread and unclosed; before {@link #ended}.
   */
  default void failed(IOException failure) {}

  /**
   * The exchange is over. Called exactly once for each connection that the exchange was sent on.
   *
   * @param reusable whether the connection can carry another one
   */
  void ended(boolean reusable);
}
