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

  /** When it was granted a connection; read by the call after {@link #granted}. */
  private long grantedAt;

  /** The connection that the call was granted; written once, under the route's lock. */
  private volatile @Nullable PooledConnection granted;

  private volatile boolean poolClosed;

  @Nullable
  PooledConnection granted() {
    return granted;
  }

  /** When the connection was granted; valid after {@link #granted} has returned it. */
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

  /** Wakes the call. To be called after the route's lock was released. */
  void wake() {
    LockSupport.unpark(thread);
  }
}
