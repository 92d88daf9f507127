package heddle.connection;

import heddle.http.Status;
import heddle.transport.time.Deadline;

/**
 * A server's side of one connection, whatever its protocol. It announces each request, and that it
 * has closed, to its {@link RequestListener}.
 */
public interface ServerConnection {
  /** Unique in this process and above 0; connections that were accepted later have higher ones. */
  long id();

  /** Begins to read. Must be called once. */
  void start();

  /**
   * Instead of {@link #start}: refuses the peer, as its protocol allows, and closes.
   *
   * @param status the status that a request gets if the protocol cannot refuse a connection
   * @param retryAfterSeconds for the {@code Retry-After} field, RFC 9110 §10.2.3
   */
  void startRefusing(Status status, int retryAfterSeconds);

  /**
   * Accepts no further request and closes as soon as none is being answered. From any thread,
   * idempotent, does not wait.
   */
  void drain();

  /**
   * When the idle timeout ends, {@link Deadline#NEVER_NANOS} while the connection is not idle
   * between two requests. From any thread; the answer may be outdated on return.
   */
  long idleUntil();

  /** Closes the connection if it is idle between two requests. From any thread, does not wait. */
  void closeIfUnused();

  /** Closes the channel now and interrupts the threads that answer. From any thread. */
  void abort();
}
