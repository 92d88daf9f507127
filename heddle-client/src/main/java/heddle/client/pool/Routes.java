package heddle.client.pool;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.Route;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a pool and what they share: the total limit of connections, and which routes wait
 * for a place because all are taken. It has no lock: as long as places are free, calls of different
 * routes share only one counter. A taken place belongs to a connection, or briefly to the thread
 * that is about to pass it on.
 */
final class Routes {
  private final PoolLimits limits;
  private final EventLoop loop;
  private final ConcurrentHashMap<Route, RoutePool> routes = new ConcurrentHashMap<>();
  private final AtomicInteger placesTaken = new AtomicInteger();
  private final AtomicLong leaks = new AtomicLong();

  /** Routes whose calls wait for a place: each gets one, and then queues again at the end. */
  private final Queue<RoutePool> starved = new ConcurrentLinkedQueue<>();

  /** Set before the routes are shut down one by one; read under the lock of a route. */
  private volatile boolean shutdown;

  /** The thread in {@link ConnectionPool#awaitEmpty}, woken whenever a place becomes free. */
  private volatile @Nullable Thread closer;

  Routes(PoolLimits limits, EventLoop loop) {
    this.limits = limits;
    this.loop = loop;
  }

  PoolLimits limits() {
    return limits;
  }

  long now() {
    return loop.clock().nanoTime();
  }

  Timer newTimer(Runnable onFire) {
    return loop.newTimer(onFire);
  }

  // ---- the routes

  /** The pool of a route; created if there is none. */
  RoutePool of(Route route) {
    RoutePool known = routes.get(route);
    if (known != null) {
      return known;
    }
    RoutePool made = new RoutePool(route, this);
    RoutePool other = routes.putIfAbsent(route, made);
    return other == null ? made : other;
  }

  /** The pool of a route; null if there is none. */
  @Nullable
  RoutePool find(Route route) {
    return routes.get(route);
  }

  /** A weakly consistent view of all routes. */
  Collection<RoutePool> all() {
    return routes.values();
  }

  int count() {
    return routes.size();
  }

  void forget(RoutePool pool) {
    routes.remove(pool.route(), pool);
  }

  // ---- places

  int placesTaken() {
    return placesTaken.get();
  }

  /** Takes a place, unless all are taken or other routes already wait for one. */
  boolean tryTakePlace() {
    return starved.isEmpty() && tryTakePlaceForStarved();
  }

  private boolean tryTakePlaceForStarved() {
    int now = placesTaken.get();
    while (now < limits.maxTotal()) {
      int seen = placesTaken.compareAndExchange(now, now + 1);
      if (seen == now) {
        return true;
      }
      now = seen;
    }
    return false;
  }

  /** Releases a place; to be followed by {@link #relieve} without a lock. */
  void freePlace() {
    placesTaken.decrementAndGet();
  }

  /** A route begins to wait for a place; its lock is held. */
  void addStarved(RoutePool pool) {
    starved.add(pool);
  }

  /** A route no longer waits; its lock is held. */
  void removeStarved(RoutePool pool) {
    starved.remove(pool);
  }

  /**
   * Removes the connection that has been idle longest on any route, to make room for another. To be
   * called without a lock, since it takes those of routes, one after the other.
   *
   * @return the connection, to be closed, whose place now belongs to the calling thread; null if
   *     none is idle, or if other routes already wait
   */
  @Nullable
  PooledConnection evictForNewcomer() {
    return starved.isEmpty() ? evictIdle() : null;
  }

  /**
   * As {@link #evictForNewcomer}, but even if other routes wait for a place: the caller needs the
   * connection's file descriptor.
   */
  @Nullable
  PooledConnection evictIdle() {
    while (true) {
      long earliest = RouteConnections.NONE_IDLE;
      RoutePool oldest = null;
      for (RoutePool pool : routes.values()) {
        long since = pool.oldestIdleSince();
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
   * Gives free places, and those of idle connections, to the routes that wait for one. To be called
   * without a lock by each thread that has freed a place, made a connection idle, or made a route
   * wait, after it has done so: then at least one of two such threads sees what the other did.
   */
  void relieve() {
    List<PooledConnection> evicted = List.of();
    while (!starved.isEmpty()) {
      if (!tryTakePlaceForStarved()) {
        PooledConnection idle = evictIdle();
        if (idle == null) {
          break;
        }
        evicted = evicted.isEmpty() ? new ArrayList<>() : evicted;
        evicted.add(idle);
      }
      RoutePool next = starved.poll();
      if (next == null || !next.takePlace()) {
        freePlace();
      }
    }
    evicted.forEach(PooledConnection::close);
    LockSupport.unpark(closer);
  }

  /** Wakes the given thread whenever a place may have become free. */
  void wakeWhenPlacesAreFree(Thread thread) {
    closer = thread;
  }

  // ---- the pool as a whole

  /** From now on no call gets a connection. To be called before the routes are shut down. */
  void shutDown() {
    shutdown = true;
  }

  boolean isShutDown() {
    return shutdown;
  }

  /** A response body became garbage before its end. */
  void countLeak() {
    leaks.incrementAndGet();
  }

  long leaks() {
    return leaks.get();
  }
}
