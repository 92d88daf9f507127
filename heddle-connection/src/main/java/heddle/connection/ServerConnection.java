package heddle.connection;

import heddle.http.Status;
import heddle.transport.Deadline;

/**
 * A server's side of one connection, whatever its protocol. It tells its {@link RequestListener} of
 * each request, and of its own end.
 */
public interface ServerConnection {
  /** Begins to read. To be called once. */
  void start();

  /**
   * Instead of {@link #start}: tells the peer, in the way of its protocol, that it cannot be
   * served, and closes.
   *
   * @param status what a request is answered with where the protocol has no word for it
   * @param retryAfterSeconds for the {@code Retry-After} field, RFC 9110 §10.2.3
   */
  void startRefusing(Status status, int retryAfterSeconds);

  /**
   * Takes no further request and closes as soon as none is being answered. From any thread,
   * idempotent, does not wait.
   */
  void drain();

  /**
   * When the time is over that the connection may be idle, {@link Deadline#NEVER_NANOS} while it is
   * not idle between two requests. From any thread; by the time it is looked at it may be wrong.
   */
  long idleUntil();

  /** Closes the connection if it is idle between two requests. From any thread, does not wait. */
  void closeIfUnused();

  /** Closes the channel now and interrupts the threads that answer. From any thread. */
  void abort();
}
