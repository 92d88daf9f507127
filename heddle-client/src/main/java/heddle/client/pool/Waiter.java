package heddle.client.pool;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A call in the queue for a connection. */
final class Waiter {
  private final Thread thread = Thread.currentThread();

  /** What the call was given: written once under the pool's lock. */
  private volatile @Nullable PooledConnection granted;

  private volatile boolean poolClosed;

  @Nullable
  PooledConnection granted() {
    return granted;
  }

  boolean isOver() {
    return granted != null || poolClosed;
  }

  void grant(PooledConnection entry) {
    granted = entry;
  }

  void refuseBecauseClosed() {
    poolClosed = true;
  }

  /** Wakes the call; after the pool's lock is given back. */
  void wake() {
    LockSupport.unpark(thread);
  }
}
