package heddle.client.pool;

import heddle.connection.Connection;
import java.util.concurrent.atomic.AtomicBoolean;

/** The right of one call to use one connection; given back exactly once. */
public final class Lease {
  private final ConnectionPool pool;
  private final PooledConnection entry;
  private final Connection connection;
  private final boolean reused;
  private final AtomicBoolean released = new AtomicBoolean();

  Lease(ConnectionPool pool, PooledConnection entry, Connection connection, boolean reused) {
    this.pool = pool;
    this.entry = entry;
    this.connection = connection;
    this.reused = reused;
  }

  public Connection connection() {
    return connection;
  }

  /** Whether the connection served another call before, so that its peer may have given it up. */
  public boolean isReused() {
    return reused;
  }

  /**
   * Gives the connection back; only the first call counts. From any thread.
   *
   * @param reusable whether the connection can serve another call; it is closed otherwise
   */
  public void release(boolean reusable) {
    if (released.compareAndSet(false, true)) {
      pool.release(entry, reusable);
    }
  }
}
