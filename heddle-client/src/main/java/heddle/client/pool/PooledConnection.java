package heddle.client.pool;

import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import org.jspecify.annotations.Nullable;

/**
 * A place in the pool, counted from the moment a call is allowed to open a connection until that
 * connection is given up. Links itself into the list of places and a list of its route, and hears
 * what becomes of its connection: a pool of tens of thousands holds no further object for each.
 */
final class PooledConnection implements ConnectionListener {
  /** What the pool may do with the connection. */
  enum State {
    /** A call opens it. */
    OPENING,
    /** Nobody uses it; in the idle list. */
    IDLE,
    /** Shared, with room for more calls; in the list of those. */
    ROOMY,
    /** As many calls use it as may. */
    BUSY,
    /** Takes no more calls; closed when the last of those that use it has ended. */
    DRAINING,
    /** Given up: its place is free. */
    GONE
  }

  final RoutePool route;
  private final ConnectionPool pool;

  /** Null until it has been opened; set once, by the call that opens it, under the pool's lock. */
  volatile @Nullable Connection connection;

  /** Set with the connection. */
  boolean multiplexed;

  // All below are guarded by the pool's lock.
  State state = State.OPENING;

  /** Calls that use it, or the one that opens it. */
  int leases = 1;

  /** How many calls may use it at once. */
  int capacity = 1;

  long idleSince;

  @Nullable
  PooledConnection newer;

  @Nullable
  PooledConnection older;

  @Nullable
  PooledConnection nextTaken;

  @Nullable
  PooledConnection previousTaken;

  PooledConnection(ConnectionPool pool, RoutePool route) {
    this.pool = pool;
    this.route = route;
  }

  @Override
  public void closed() {
    pool.connectionClosed(this);
  }

  @Override
  public void capacityChanged() {
    pool.capacityChanged(this);
  }
}
