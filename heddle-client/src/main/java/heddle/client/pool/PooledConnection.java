package heddle.client.pool;

import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.http.Origin;
import heddle.transport.Deadline;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place in the pool, counted from the moment a call is allowed to open a connection until that
 * connection is given up. Links itself into two lists of its route, and listens to its connection:
 * a pool of tens of thousands holds no further object for each.
 */
final class PooledConnection implements Admission, ConnectionListener {
  /** What the pool may do with the connection. */
  enum State {
    /** A call opens it. */
    OPENING,
    /** No call uses it; in the idle list. */
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

  /** No answer has come yet that could say how long the connection may be idle. */
  private static final long UNREAD = -1;

  /** A server that has turned this many origins away gets no requests of others. */
  static final int MAX_MISDIRECTED = 100;

  final RoutePool route;

  /** Null until it has been opened; set once, by the call that opens it, under the route's lock. */
  volatile @Nullable Connection connection;

  /** Set with the connection. */
  boolean multiplexed;

  /**
   * From when on a call that gets it has its successor opened; written under the route's lock,
   * looked at without.
   */
  volatile long renewAt = Deadline.NEVER_NANOS;

  // All below are guarded by the route's lock.
  State state = State.OPENING;

  /** Calls that use it, or the one that opens it. */
  int leases = 1;

  /** How many calls may use it at once. */
  int capacity = 1;

  long idleSince;

  /** How long its peer says that it may be idle; read once, with the first answer. */
  private long idleHint = UNREAD;

  /** From when on it takes no more calls. */
  long agedAt = Deadline.NEVER_NANOS;

  /** Origins that were told 421 (Misdirected Request) here; null for none. */
  private @Nullable Set<Origin> misdirected;

  @Nullable
  PooledConnection newer;

  @Nullable
  PooledConnection older;

  @Nullable
  PooledConnection nextTaken;

  @Nullable
  PooledConnection previousTaken;

  PooledConnection(RoutePool route) {
    this.route = route;
  }

  /** Whether the call that was given it has to open it. */
  boolean isNew() {
    return connection == null;
  }

  /** Closes the connection, if it was opened. Not to be called under a lock. */
  void close() {
    Connection opened = connection;
    if (opened != null) {
      opened.close();
    }
  }

  /** How long its peer says that it may be idle, after it has answered. */
  long idleHint() {
    if (idleHint == UNREAD) {
      Connection answered = connection;
      Duration hint = answered == null ? null : answered.idleHint();
      idleHint =
          hint == null ? Deadline.NEVER_NANOS : IdleLimit.within(Deadline.boundedNanos(hint));
    }
    return idleHint;
  }

  void addMisdirected(Origin origin) {
    Set<Origin> origins = misdirected == null ? new HashSet<>() : misdirected;
    misdirected = origins;
    if (origins.size() < MAX_MISDIRECTED) {
      origins.add(origin);
    }
  }

  /** Whether requests to an origin that is not its route's have no place here. */
  boolean misdirects(Origin origin) {
    Set<Origin> origins = misdirected;
    return origins != null && (origins.contains(origin) || origins.size() >= MAX_MISDIRECTED);
  }

  @Override
  public void closed() {
    route.connectionClosed(this);
  }

  @Override
  public void capacityChanged() {
    route.capacityChanged(this);
  }
}
