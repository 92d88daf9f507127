package heddle.client.pool;

import heddle.client.pool.PooledConnection.State;
import heddle.client.route.Route;
import heddle.connection.Connection;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of connections once they are open: they are given back, close, take more or fewer
 * calls, grow old. Each of its methods takes the lock of one route, decides under it, and carries
 * out afterwards what was decided: waking who was served, closing what was given up.
 */
final class Upkeep {
  /** Instead of the time at which a call got a connection that it did not use. */
  static final long NOT_USED = Long.MIN_VALUE;

  /** A peer that has given a connection up says so as soon as something comes on it. */
  private static final long DEAD_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  final Places places;
  private final PoolLimits limits;
  private final EventLoop loop;
  private final AtomicLong leaks = new AtomicLong();

  /** Set before the routes are emptied, which takes the lock of each: read under such a lock. */
  private volatile boolean shutdown;

  /** The thread in {@link ConnectionPool#awaitEmpty}, woken whenever a place becomes free. */
  private volatile @Nullable Thread closer;

  Upkeep(PoolLimits limits, EventLoop loop) {
    this.limits = limits;
    this.loop = loop;
    this.places = new Places(limits.maxTotal(), this::newRoute);
  }

  private RoutePool newRoute(Route route) {
    return new RoutePool(route, this, places, limits);
  }

  /**
   * Gives back what a call was given.
   *
   * @param since when the call got the connection, or {@link #NOT_USED}
   */
  void release(PooledConnection entry, boolean reusable, long since) {
    Connection connection = entry.connection;
    boolean keep = reusable && connection != null && connection.isOpen();
    long now = now();
    RoutePool pool = entry.route;
    Waiter served;
    boolean over = false;
    pool.lock.lock();
    try {
      if (since != NOT_USED) {
        pool.ended(since, now, keep);
      }
      keep = keep && !shutdown && pool.connections.mayServeOthers(entry, now);
      if (keep) {
        pool.connections.giveBack(entry, now);
      } else {
        over = pool.giveUp(entry);
      }
      served = pool.passOn(now);
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    if (over) {
      close(entry);
    } else if (keep && connection != null && !connection.isOpen()) {
      // It ended between the look above and now, so its own notice may have come too early.
      if (entry.multiplexed) {
        capacityChanged(entry);
      } else {
        connectionClosed(entry);
      }
    }
  }

  /** A connection that was used again was closed by its peer before the request had come. */
  void foundDead(PooledConnection entry, long since) {
    RoutePool pool = entry.route;
    List<PooledConnection> stale = List.of();
    pool.lock.lock();
    try {
      long now = now();
      // Of a shared one nobody knows whether it was idle before. One that is lost later than this
      // was alive when it was asked.
      if (!entry.multiplexed && !shutdown && now - since <= DEAD_WITHIN_NANOS) {
        stale = pool.learnIdle(since - entry.idleSince, now);
      }
    } finally {
      pool.lock.unlock();
    }
    stale.forEach(Upkeep::close);
    settle(null);
  }

  /**
   * A connection has closed. If it was idle or shared, its place is free; else its lease will tell.
   */
  void connectionClosed(PooledConnection entry) {
    RoutePool pool = entry.route;
    Waiter served = null;
    List<PooledConnection> stale = List.of();
    pool.lock.lock();
    try {
      boolean known = entry.multiplexed || entry.state == State.IDLE;
      if (known && entry.state != State.GONE) {
        long now = now();
        boolean wasIdle = entry.state == State.IDLE;
        pool.free(entry);
        if (wasIdle && !shutdown) {
          stale = pool.learnIdle(now - entry.idleSince, now);
        }
        served = pool.passOn(now);
      }
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    stale.forEach(Upkeep::close);
  }

  /** A shared connection takes more or fewer calls than before, or no more. */
  void capacityChanged(PooledConnection entry) {
    change(entry, RouteConnections::refresh);
  }

  /** Lets no further call use a connection; false if none did any more. */
  boolean drain(PooledConnection entry) {
    return change(entry, RouteConnections::drain);
  }

  /** Changes how many calls may use an open connection; false if it took no more already. */
  private boolean change(
      PooledConnection entry, BiConsumer<RouteConnections, PooledConnection> change) {
    RoutePool pool = entry.route;
    Waiter served;
    boolean over;
    pool.lock.lock();
    try {
      if (entry.connection == null || entry.state == State.GONE || entry.state == State.DRAINING) {
        return false;
      }
      change.accept(pool.connections, entry);
      over = entry.state == State.DRAINING && entry.leases == 0;
      if (over) {
        pool.free(entry);
      }
      served = pool.passOn(now());
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    if (over) {
      close(entry);
    }
    return true;
  }

  /** Without a lock, after something has become free: wakes who has it, or will want it. */
  void settle(@Nullable Waiter served) {
    Waiter next = served;
    while (next != null) {
      Waiter after = next.next; // Its thread may use the link anew once it runs.
      next.next = null;
      next.wake();
      next = after;
    }
    if (places.hasStarved()) {
      relieve();
    }
    LockSupport.unpark(closer);
  }

  void relieve() {
    places.relieve().forEach(Upkeep::close);
    LockSupport.unpark(closer);
  }

  /** On the loop: closes what has been idle too long, and looks when the next will have been. */
  void expire(RoutePool pool) {
    List<PooledConnection> expired;
    Waiter served;
    pool.lock.lock();
    try {
      if (shutdown || pool.retired) {
        return;
      }
      long now = now();
      expired = pool.expire(now);
      served = pool.serve(now);
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    expired.forEach(Upkeep::close);
  }

  /** Closes what nobody has used for so long; answers how many that were. */
  int closeIdle(RoutePool pool, long unusedNanos) {
    List<PooledConnection> unused;
    Waiter served;
    pool.lock.lock();
    try {
      long now = now();
      unused = pool.freeIdle(now - unusedNanos);
      served = pool.passOn(now);
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    unused.forEach(Upkeep::close);
    return unused.size();
  }

  /** A body was garbage before it had ended. */
  void countLeak() {
    leaks.incrementAndGet();
  }

  long leaks() {
    return leaks.get();
  }

  /** To be called before the routes are emptied: no call gets a connection from then on. */
  void shutdown() {
    shutdown = true;
  }

  /** This thread is woken whenever a place may be free. */
  void wakeWhenPlacesAreFree(Thread thread) {
    closer = thread;
  }

  boolean isShutdown() {
    return shutdown;
  }

  long now() {
    return loop.clock().nanoTime();
  }

  Timer newTimer(Runnable onFire) {
    return loop.newTimer(onFire);
  }

  static void close(@Nullable PooledConnection entry) {
    Connection connection = entry == null ? null : entry.connection;
    if (connection != null) {
      connection.close();
    }
  }
}
