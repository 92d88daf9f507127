package heddle.client.pool;

import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import org.jspecify.annotations.Nullable;

/**
 * A place in the pool, counted from the moment a call is allowed to open a connection until that
 * connection is given up. Links itself into the list of places and the idle list of its route, and
 * hears what becomes of its connection: a pool of tens of thousands holds no further
 * object for each.
 */
final class PooledConnection implements ConnectionListener {
  final RoutePool route;
  private final ConnectionPool pool;

  /** Null until it has been opened; set once, by the call that opens it. */
  volatile @Nullable Connection connection;

  // All below are guarded by the pool's lock.
  @Nullable
  PooledConnection newer;

  @Nullable
  PooledConnection older;

  @Nullable
  PooledConnection nextTaken;

  @Nullable
  PooledConnection previousTaken;

  boolean idle;
  long idleSince;

  PooledConnection(ConnectionPool pool, RoutePool route) {
    this.pool = pool;
    this.route = route;
  }

  @Override
  public void closed() {
    pool.connectionClosed(this);
  }

  @Override
  public void capacityChanged() {}
}
