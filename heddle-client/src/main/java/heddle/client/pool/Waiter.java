package heddle.client.pool;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A call in the queue for a connection. */
final class Waiter implements Admission {
  private final Thread thread = Thread.currentThread();

  // The next four are guarded by the route's lock.
  @Nullable
  Waiter next;

  @Nullable
  Waiter previous;

  boolean queued;

  /** When it was given a connection; read by the call once it has seen which. */
  private long grantedAt;

  /** What the call was given: written once under the route's lock. */
  private volatile @Nullable PooledConnection granted;

  private volatile boolean poolClosed;

  @Nullable
  PooledConnection granted() {
    return granted;
  }

  /** After {@link #granted} has answered: since when the call has what it was given. */
  long grantedAt() {
    return grantedAt;
  }

  boolean isOver() {
    return granted != null || poolClosed;
  }

  void grant(PooledConnection entry, long now) {
    grantedAt = now;
    granted = entry;
  }

  void refuseBecauseClosed() {
    poolClosed = true;
  }

  /** Wakes the call; after the route's lock is given back. */
  void wake() {
    LockSupport.unpark(thread);
  }
}
