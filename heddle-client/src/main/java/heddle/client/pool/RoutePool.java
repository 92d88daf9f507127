package heddle.client.pool;

import heddle.client.pool.PooledConnection.State;
import heddle.client.route.Route;
import heddle.connection.Connection;
import heddle.http.HttpVersion;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What the pool holds for one route, and which of its connections a call gets: one that others
 * share already before one that is idle, so that those which the load does not need stay idle and
 * expire. Guarded by the pool's lock.
 */
final class RoutePool {
  /** What is known of the connections of a route. */
  private enum Sharing {
    /** TLS will tell: one connection is opened to find out. */
    UNKNOWN,
    /** One call at a time uses each, as in HTTP/1.1. */
    EXCLUSIVE,
    /** Calls share them, as in HTTP/2: one is opened at a time, and the others wait for it. */
    SHARED
  }

  final Route route;
  private final PoolLimits limits;
  private Sharing sharing;

  /** By the time they became idle. */
  final ConnectionList idle = new ConnectionList();

  /** Shared ones that can take more; the first is filled before the next. */
  private final ConnectionList roomy = new ConnectionList();

  /** First come, first served. */
  final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

  /** Connections open or being opened that count to the route's limit: not those that drain. */
  private int counted;

  private int draining;
  private int opening;

  /** Calls that use a connection or open one. */
  private int leases;

  RoutePool(Route route, PoolLimits limits) {
    this.route = route;
    this.limits = limits;
    this.sharing = presumed(route);
  }

  private static Sharing presumed(Route route) {
    HttpVersion version = route.version();
    if (version != null) {
      return version == HttpVersion.HTTP_2 ? Sharing.SHARED : Sharing.EXCLUSIVE;
    }
    return route.origin().isSecure() ? Sharing.UNKNOWN : Sharing.EXCLUSIVE;
  }

  boolean isUnused() {
    return counted == 0 && draining == 0 && waiters.isEmpty();
  }

  /** Whether the route's own limits allow another connection to be opened now. */
  boolean mayGrow() {
    return switch (sharing) {
      case EXCLUSIVE -> counted < limits.maxPerRoute();
      case UNKNOWN -> opening == 0 && counted < limits.maxPerRoute();
      case SHARED -> opening == 0 && counted < limits.maxHttp2PerRoute();
    };
  }

  /** A connection is about to be opened. */
  void opening() {
    counted++;
    opening++;
    leases++;
  }

  /** It is open: what the others can expect is known now. */
  void opened(PooledConnection entry, Connection connection) {
    opening--;
    entry.connection = connection;
    entry.multiplexed = connection.isMultiplexed();
    sharing = entry.multiplexed ? Sharing.SHARED : Sharing.EXCLUSIVE;
    entry.state = State.BUSY;
    if (entry.multiplexed) {
      refresh(entry, connection);
    }
  }

  /** Asks a shared connection how many calls it takes now. */
  void refresh(PooledConnection entry, Connection connection) {
    entry.capacity = Math.min(connection.maxExchanges(), limits.maxStreamsPerConnection());
    if (entry.state == State.DRAINING || !connection.isOpen()) {
      drain(entry);
    } else if (entry.leases > 0) {
      fileInUse(entry);
    }
  }

  /** A connection that takes another call, which is counted; null when there is none. */
  @Nullable
  PooledConnection lease() {
    PooledConnection entry = roomy.oldest();
    if (entry == null) {
      entry = newestUsableIdle();
      if (entry == null) {
        return null;
      }
    }
    entry.leases++;
    leases++;
    fileInUse(entry);
    return entry;
  }

  /** A shared one is idle and yet of no use while its peer allows no exchanges. */
  private @Nullable PooledConnection newestUsableIdle() {
    PooledConnection entry = idle.newest();
    while (entry != null && entry.capacity == 0) {
      entry = entry.older;
    }
    return entry;
  }

  private void fileInUse(PooledConnection entry) {
    State next = entry.leases < entry.capacity ? State.ROOMY : State.BUSY;
    if (next != entry.state) {
      unfile(entry);
      entry.state = next;
      if (next == State.ROOMY) {
        roomy.add(entry);
      }
    }
  }

  /** One call less uses a connection that others may use from now on. */
  void giveBack(PooledConnection entry, long now) {
    entry.leases--;
    leases--;
    if (entry.leases > 0) {
      fileInUse(entry);
    } else {
      unfile(entry);
      entry.state = State.IDLE;
      entry.idleSince = now;
      idle.add(entry);
    }
  }

  /** One call less uses a connection that no further call is to use. */
  void giveUp(PooledConnection entry) {
    entry.leases--;
    leases--;
    drain(entry);
  }

  void drain(PooledConnection entry) {
    if (entry.state != State.DRAINING) {
      unfile(entry);
      entry.state = State.DRAINING;
      counted--;
      draining++;
    }
  }

  /** Forgets a connection, and the calls that still use it. */
  void remove(PooledConnection entry) {
    switch (entry.state) {
      case DRAINING -> draining--;
      case OPENING -> {
        opening--;
        counted--;
      }
      case IDLE, ROOMY, BUSY -> counted--;
      case GONE -> throw new IllegalStateException("a place of " + route + " is freed twice");
    }
    unfile(entry);
    entry.state = State.GONE;
    leases -= entry.leases;
  }

  private void unfile(PooledConnection entry) {
    switch (entry.state) {
      case IDLE -> idle.remove(entry);
      case ROOMY -> roomy.remove(entry);
      case OPENING, BUSY, DRAINING, GONE -> {}
    }
  }

  PoolSnapshot.RouteSnapshot snapshot() {
    return new PoolSnapshot.RouteSnapshot(
        route,
        counted + draining,
        idle.size(),
        draining,
        waiters.size(),
        leases,
        sharing == Sharing.SHARED);
  }
}
