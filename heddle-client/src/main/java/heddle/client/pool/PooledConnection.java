package heddle.client.pool;

import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.http.Origin;
import heddle.transport.time.Deadline;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the pool. It takes a place from the moment when a call is allowed to open it
 * until it is given up. It is itself the element of its route's lists and the listener of its
 * connection, so that a pool of tens of thousands needs no further object for each.
 */
final class PooledConnection extends IntrusiveList.Element<PooledConnection>
    implements Admission, ConnectionListener {
  /** What the pool may do with the connection. */
  enum State {
    /** A call opens it. */
    OPENING,
    /** No call uses it; in the idle list. */
    IDLE,
    /** Shared, with room for more calls; in the list of roomy connections. */
    ROOMY,
    /** Used by as many calls as it can carry. */
    BUSY,
    /** Takes no more calls; closed when the last call that uses it has ended. */
    DRAINING,
    /** Given up: its place is free. */
    GONE
  }

  /** No response has arrived yet, so the peer has not said how long the connection may be idle. */
  private static final long UNREAD = -1;

  /** After 421 for this many origins, the connection gets no requests for other origins. */
  static final int MAX_MISDIRECTED = 100;

  final RoutePool route;

  /** Null until it has been opened; set once, by the call that opens it, under the route's lock. */
  volatile @Nullable Connection connection;

  /** Set with the connection. */
  boolean multiplexed;

  /**
   * From this time on, a call that gets the connection starts to open its successor. Written under
   * the route's lock, read without it.
   */
  volatile long renewAt = Deadline.NEVER_NANOS;

  // The following fields are guarded by the route's lock.
  State state = State.OPENING;

  /** Calls that use it, or the call that opens it. */
  int leases = 1;

  /** How many calls may use it at once. */
  int capacity = 1;

  long idleSince;

  /** How long its peer says that it may be idle; read once, after the first response. */
  private long idleHint = UNREAD;

  /** From this time on it takes no more calls. */
  long agedAt = Deadline.NEVER_NANOS;

  /** Origins for which the server answered 421 (Misdirected Request); null for none. */
  private @Nullable Set<Origin> misdirected;

  /**
   * The connection that gave its place to this one: to be closed, without a lock, before this one
   * is opened. Written by the thread that decides about it, then by the one that opens this one.
   */
  @Nullable
  PooledConnection replaced;

  /** Where it is in the list of all connections of the route. */
  int index;

  PooledConnection(RoutePool route) {
    this.route = route;
  }

  /** Whether the call that got it has to open it, in a place that no other connection had. */
  boolean takesPlace() {
    return connection == null && replaced == null;
  }

  /** Closes the connection that this one replaces, if any. Not to be called under a lock. */
  void closeReplaced() {
    PooledConnection old = replaced;
    if (old != null) {
      replaced = null;
      old.close();
    }
  }

  /** Closes the connection, if it was opened. Not to be called under a lock. */
  void close() {
    closeReplaced();
    Connection opened = connection;
    if (opened != null) {
      opened.close();
    }
  }

  /** To be called after the first response. */
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
    if (misdirected == null) {
      misdirected = new HashSet<>();
    }
    if (misdirected.size() < MAX_MISDIRECTED) {
      misdirected.add(origin);
    }
  }

  /** Whether requests for this origin, which is not its route's, must not use the connection. */
  boolean misdirects(Origin origin) {
    return misdirected != null
        && (misdirected.contains(origin) || misdirected.size() >= MAX_MISDIRECTED);
  }

  @Override
  public void expectHttp11() {
    route.expectHttp11();
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
