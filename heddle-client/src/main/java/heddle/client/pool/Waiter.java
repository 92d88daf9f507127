package heddle.client.pool;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A call in the queue for a connection. */
final class Waiter extends IntrusiveList.Element<Waiter> implements Admission {
  private final Thread thread = Thread.currentThread();

  /** Whether the call must not get a connection that was idle. */
  final boolean anew;

  /** When it was granted a connection; valid after {@link #granted} has returned that. */
  private long grantedAt;

  /** The connection that the call was granted; written once, under the route's lock. */
  private volatile @Nullable PooledConnection granted;

  private volatile boolean poolClosed;

  Waiter(boolean anew) {
    this.anew = anew;
  }

  @Nullable
  PooledConnection granted() {
    return granted;
  }

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

  /** The pool is closed. To be called without the route's lock. */
  void dismiss() {
    poolClosed = true;
    wake();
  }

  /** Wakes the call. To be called after the route's lock was released. */
  void wake() {
    LockSupport.unpark(thread);
  }
}
