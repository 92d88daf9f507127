package heddle.connection;

import heddle.http.Status;

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

  /** Closes the channel now and interrupts the threads that answer. From any thread. */
  void abort();
}
