package heddle.client.pool;

import heddle.client.route.Route;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the routes of a pool share: how many places for connections are taken in all, and which
 * routes wait for one because all are. It has no lock: while places are left, calls of different
 * routes meet in one counter alone. A place that is taken belongs to a connection, or for a moment
 * to the thread that is about to pass it on.
 */
final class Places {
  private final int max;
  private final Function<Route, RoutePool> newRoute;
  private final AtomicInteger taken = new AtomicInteger();
  private final ConcurrentHashMap<Route, RoutePool> routes = new ConcurrentHashMap<>();

  /** Routes whose calls wait for a place: each is served one, and goes to the end for more. */
  private final Queue<RoutePool> starved = new ConcurrentLinkedQueue<>();

  /**
   * @param max places in all
   * @param newRoute makes the part of a route that is not known yet
   */
  Places(int max, Function<Route, RoutePool> newRoute) {
    this.max = max;
    this.newRoute = newRoute;
  }

  /** The part of a route, which the calling thread has locked. */
  @SuppressWarnings("LockNotBeforeTry") // who calls gives the lock back
  RoutePool lock(Route route) {
    while (true) {
      RoutePool pool = routes.get(route);
      if (pool == null) {
        RoutePool made = newRoute.apply(route);
        RoutePool other = routes.putIfAbsent(route, made);
        pool = other == null ? made : other;
      }
      pool.lock.lock();
      if (!pool.retired) {
        return pool;
      }
      pool.lock.unlock();
    }
  }

  /** Forgets a route; its lock is held. */
  void forget(RoutePool pool) {
    routes.remove(pool.route, pool);
  }

  /** All routes that are known, at about this time. */
  Collection<RoutePool> routes() {
    return routes.values();
  }

  /** The part of a route, not locked; null where it is not known. */
  @Nullable
  RoutePool find(Route route) {
    return routes.get(route);
  }

  int routeCount() {
    return routes.size();
  }

  int taken() {
    return taken.get();
  }

  /** Takes a place, unless all are taken or others have waited for one already. */
  boolean tryTake() {
    return starved.isEmpty() && tryTakeForStarved();
  }

  private boolean tryTakeForStarved() {
    int now = taken.get();
    while (now < max) {
      int seen = taken.compareAndExchange(now, now + 1);
      if (seen == now) {
        return true;
      }
      now = seen;
    }
    return false;
  }

  /** Gives a place back; whoever does so {@linkplain #relieve relieves} afterwards. */
  void free() {
    taken.decrementAndGet();
  }

  /** A route waits for a place from now on; its lock is held, and it is not among them yet. */
  void addStarved(RoutePool pool) {
    starved.add(pool);
  }

  /** A route waits no more; its lock is held. */
  void removeStarved(RoutePool pool) {
    starved.remove(pool);
  }

  /** Whether routes wait for a place: then somebody who could free one has to. */
  boolean hasStarved() {
    return !starved.isEmpty();
  }

  /**
   * Takes a connection out of the pool that nobody uses, the one that has been idle longest on
   * whichever route, to make room for another. To be called without a lock: it takes those of
   * routes, one after the other.
   *
   * @return the connection, to be closed, whose place now belongs to the calling thread; null when
   *     none is idle, or when others have waited already
   */
  @Nullable
  PooledConnection evictForNewcomer() {
    return starved.isEmpty() ? evict() : null;
  }

  /**
   * Takes a connection out of the pool as {@link #evictForNewcomer} does, but even if calls wait
   * for a place: the caller needs its file descriptor.
   */
  @Nullable
  PooledConnection evictIdle() {
    return evict();
  }

  private @Nullable PooledConnection evict() {
    while (true) {
      long earliest = RouteConnections.NONE_IDLE;
      RoutePool oldest = null;
      for (RoutePool pool : routes.values()) {
        long since = pool.connections.oldestIdleSince();
        if (since < earliest) {
          earliest = since;
          oldest = pool;
        }
      }
      if (oldest == null) {
        return null;
      }
      PooledConnection evicted = oldest.evictOldestIdle();
      if (evicted != null) {
        return evicted;
      }
    }
  }

  /**
   * Gives places that are free, and those of idle connections, to the routes that wait for one. To
   * be called without a lock by whoever has freed a place, left a connection idle, or let a route
   * wait, after having done so: then one of those who meet here sees what the other did.
   *
   * @return connections that had to go for it, to be closed
   */
  List<PooledConnection> relieve() {
    List<PooledConnection> evicted = List.of();
    while (!starved.isEmpty()) {
      if (!tryTakeForStarved()) {
        PooledConnection idle = evict();
        if (idle == null) {
          break;
        }
        evicted = evicted.isEmpty() ? new ArrayList<>() : evicted;
        evicted.add(idle);
      }
      RoutePool next = starved.poll();
      Waiter served = next == null ? null : next.takeGivenPlace();
      if (served == null) {
        free();
      } else {
        served.wake();
      }
    }
    return evicted;
  }
}
