package heddle.client.pool;

import heddle.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A place in the pool, counted from the moment a call is allowed to open a connection until that
 * connection is given up. Links itself into the idle list of its route.
 */
final class PooledConnection {
  final RoutePool route;

  /** Null until it has been opened; set once, by the call that opens it. */
  volatile @Nullable Connection connection;

  // All below are guarded by the pool's lock.
  @Nullable
  PooledConnection newer;

  @Nullable
  PooledConnection older;

  boolean idle;
  boolean discarded;
  long idleSince;

  PooledConnection(RoutePool route) {
    this.route = route;
  }
}
