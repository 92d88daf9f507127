package heddle.connection.http2;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Orders what is sent on a connection: guards the session's sending half and what belongs to it.
 * Held briefly, never while writing.
 */
final class OrderingLock extends ReentrantLock implements AutoCloseable {
  private static final long serialVersionUID = 1L;

  /** Locks, for a {@code try} statement that unlocks at its end. */
  OrderingLock hold() {
    lock();
    return this;
  }

  @Override
  public void close() {
    unlock();
  }
}
