package heddle.client.pool;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.Route;
import heddle.transport.EventLoop;
import java.util.ArrayList;
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
  final PoolLimits limits;
  final EventLoop loop;
  final ConcurrentHashMap<Route, RoutePool> byRoute = new ConcurrentHashMap<>();
  private final AtomicInteger placesTaken = new AtomicInteger();

  /** How many response bodies became garbage before their end. */
  final AtomicLong leaks = new AtomicLong();

  /**
   * Routes whose calls wait for a place: each gets one, and then queues again at the end. A route
   * is added and removed under its lock.
   */
  final Queue<RoutePool> starved = new ConcurrentLinkedQueue<>();

  /** Set before the routes are shut down one by one; read under the lock of a route. */
  private volatile boolean shutdown;

  /** The thread in {@link ConnectionPool#awaitEmpty}, woken whenever a place may be free. */
  volatile @Nullable Thread closer;

  Routes(PoolLimits limits, EventLoop loop) {
    this.limits = limits;
    this.loop = loop;
  }

  long now() {
    return loop.clock().nanoTime();
  }

  /** The pool of a route; created if there is none. */
  RoutePool of(Route route) {
    RoutePool known = byRoute.get(route);
    return known == null
        ? byRoute.computeIfAbsent(route, made -> new RoutePool(made, this))
        : known;
  }

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

  /** As {@link #evictIdle}, but null if other routes wait for a place. */
  @Nullable
  PooledConnection evictForNewcomer() {
    return starved.isEmpty() ? evictIdle() : null;
  }

  /**
   * Removes the connection that has been idle longest on any route, to make room for another. To be
   * called without a lock, since it takes those of routes, one after the other.
   *
   * @return the connection, to be closed, whose place now belongs to the calling thread; null if
   *     none is idle
   */
  @Nullable
  PooledConnection evictIdle() {
    while (true) {
      long earliest = RouteConnections.NONE_IDLE;
      RoutePool oldest = null;
      for (RoutePool pool : byRoute.values()) {
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
      boolean taken = false;
      try {
        taken = next != null && next.takePlace();
      } finally {
        if (!taken) {
          freePlace();
        }
      }
    }
    evicted.forEach(PooledConnection::close);
    LockSupport.unpark(closer);
  }

  /** From now on no call gets a connection. To be called before the routes are shut down. */
  void shutDown() {
    shutdown = true;
  }

  boolean isShutDown() {
    return shutdown;
  }
}
