package heddle.client.pool;

import heddle.client.pool.PooledConnection.State;
import heddle.client.route.Route;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.http.failure.ClientClosedException;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client, by route. One short lock for each route guards them, so that calls
 * of different routes share none; no thread holds two of them, and none is held while a connection
 * is opened, written to or closed, nor while a thread waits.
 *
 * <p>A call that finds no connection with room opens one itself if the limits allow it, else it
 * waits in the queue of its route. What becomes free goes to the longest waiting call: a connection
 * that can be reused or shared, or the place of one that cannot. When all places of the pool are
 * taken, the connection that has been idle longest makes room, on whichever route.
 */
public final class ConnectionPool {
  /** Instead of the time at which a call got a connection that it did not use. */
  private static final long NOT_USED = Long.MIN_VALUE;

  private final PoolLimits limits;
  private final Connector connector;
  private final EventLoop loop;
  private final Places places;
  private final AtomicLong leaks = new AtomicLong();

  /** Set before the routes are emptied, which takes the lock of each: read under such a lock. */
  private volatile boolean shutdown;

  /** A connection that is opened after this is set is closed at once; read under a route's lock. */
  private volatile boolean aborted;

  /** The thread in {@link #awaitEmpty}, woken whenever a place becomes free. */
  private volatile @Nullable Thread closer;

  /**
   * A pool without connections.
   *
   * @param loop keeps the time of those who wait and of idle connections
   */
  public ConnectionPool(PoolLimits limits, Connector connector, EventLoop loop) {
    this.limits = limits;
    this.connector = connector;
    this.loop = loop;
    this.places = new Places(limits.maxTotal(), this::newRoute);
  }

  private RoutePool newRoute(Route route) {
    return new RoutePool(route, this, places, limits);
  }

  /**
   * Leases a connection; opens one or parks the calling thread where needed.
   *
   * @param exchange the call, whose deadline holds
   * @throws PoolQueueFullException when too many calls wait already
   * @throws AcquireTimeoutException when none became free within the acquire timeout
   * @throws DeadlinePassedException when the call's deadline passes first
   * @throws ClientClosedException when the pool is or becomes closed
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IOException what opening a connection fails with
   */
  public Lease acquire(Route route, Exchange exchange) throws IOException {
    return acquire(route, exchange, now());
  }

  /**
   * As {@link #acquire(Route, Exchange)}, for a caller that has just read the clock.
   *
   * @param now the loop's time
   */
  public Lease acquire(Route route, Exchange exchange, long now) throws IOException {
    RoutePool pool = places.lock(route);
    PooledConnection entry;
    Waiter waiter = null;
    boolean placesLack = false;
    try {
      refuseIfShutdown(exchange);
      pool.arrived(now);
      entry = pool.leaseAtOnce(now);
      if (entry == null && pool.mayOpenAtOnce()) {
        placesLack = !places.tryTake();
        entry = placesLack ? null : pool.reserve();
      }
      if (entry == null && !placesLack) {
        waiter = pool.enqueue();
      }
    } finally {
      pool.lock.unlock();
    }
    if (entry != null) {
      return lease(entry, exchange, now);
    }
    return placesLack
        ? acquireByEviction(route, exchange, now)
        : await(pool, waiter, exchange, now);
  }

  /** All places are taken: a connection that nobody uses makes room, or the call waits. */
  private Lease acquireByEviction(Route route, Exchange exchange, long now) throws IOException {
    PooledConnection evicted = places.evictForNewcomer();
    boolean placeInHand = evicted != null;
    close(evicted);
    PooledConnection entry;
    Waiter waiter = null;
    RoutePool pool = places.lock(route);
    try {
      refuseIfShutdown(exchange);
      entry = pool.leaseAtOnce(now);
      if (entry == null && placeInHand && pool.mayOpenAtOnce()) {
        placeInHand = false;
        entry = pool.reserve();
      }
      if (entry == null) {
        waiter = pool.enqueue();
        pool.keepTime(now);
      }
    } finally {
      pool.lock.unlock();
      if (placeInHand) {
        places.free();
      }
      relieve();
    }
    return entry == null ? await(pool, waiter, exchange, now) : lease(entry, exchange, now);
  }

  /** What a call has been given, a connection or the right to open one, as a lease. */
  private Lease lease(PooledConnection entry, Exchange exchange, long since) throws IOException {
    Connection connection = entry.connection;
    if (connection != null) {
      return new Lease(entry, connection, true, since);
    }
    Connection opened = open(entry, exchange);
    return new Lease(entry, opened, false, now());
  }

  private void refuseIfShutdown(Exchange exchange) throws ClientClosedException {
    if (shutdown) {
      throw closed(exchange);
    }
  }

  private Lease await(RoutePool pool, @Nullable Waiter waiter, Exchange exchange, long now)
      throws IOException {
    if (waiter == null) {
      // Of this route alone: many are refused at once, and they are not to slow the others down.
      PoolSnapshot snapshot = snapshot(List.of(pool));
      throw new PoolQueueFullException(snapshot.route(pool.route), snapshot, exchange.point());
    }
    exchange.queued();
    Deadline acquireBy = Deadline.after(limits.acquireTimeout(), now);
    try {
      Waiting.until(
          waiter::isOver, loop, exchange.deadline().earlier(acquireBy), "waiting for a connection");
    } catch (DeadlinePassedException e) {
      if (leaveQueue(pool, waiter) == null) {
        if (exchange.deadline().isPast(loop.clock())) {
          throw e;
        }
        PoolSnapshot snapshot = snapshot();
        throw new AcquireTimeoutException(snapshot.route(pool.route), snapshot, exchange.point());
      }
    } catch (IOException e) {
      PooledConnection late = leaveQueue(pool, waiter);
      if (late != null) {
        release(late, true, NOT_USED);
      }
      throw e;
    }
    PooledConnection granted = waiter.granted();
    if (granted == null) {
      throw closed(exchange);
    }
    if (Thread.currentThread().isInterrupted()) {
      // It came together with the grant: nothing is opened for a call that has been cancelled.
      release(granted, true, NOT_USED);
      throw new InterruptedIOException("interrupted while waiting for a connection");
    }
    return lease(granted, exchange, waiter.grantedAt());
  }

  /** Answers what the waiter was given in the last moment, if anything. */
  private @Nullable PooledConnection leaveQueue(RoutePool pool, Waiter waiter) {
    pool.lock.lock();
    try {
      pool.leave(waiter);
      pool.keepTime(now());
    } finally {
      pool.lock.unlock();
    }
    return waiter.granted();
  }

  private Connection open(PooledConnection entry, Exchange exchange) throws IOException {
    boolean opened = false;
    try {
      Connection connection = connector.connect(entry.route.route, exchange, entry);
      if (!share(entry, connection)) {
        throw closed(exchange);
      }
      opened = true;
      return connection;
    } finally {
      if (!opened) {
        release(entry, false, NOT_USED);
      }
    }
  }

  /** Lets others have what the call that opened a connection leaves; false once aborted. */
  private boolean share(PooledConnection entry, Connection connection) {
    RoutePool pool = entry.route;
    Waiter served;
    boolean usable;
    pool.lock.lock();
    try {
      long now = now();
      pool.connections.opened(entry, connection, now);
      served = pool.serve(now);
      usable = !aborted;
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    return usable;
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
      served = pool.serve(now);
      pool.keepTime(now);
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
      // Of a shared one nobody knows whether it was idle before.
      if (!entry.multiplexed && !shutdown) {
        stale = pool.learnIdle(since - entry.idleSince, now());
      }
    } finally {
      pool.lock.unlock();
    }
    stale.forEach(ConnectionPool::close);
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
        served = pool.serve(now);
        pool.keepTime(now);
      }
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    stale.forEach(ConnectionPool::close);
  }

  /** A shared connection takes more or fewer calls than before, or no more. */
  void capacityChanged(PooledConnection entry) {
    RoutePool pool = entry.route;
    Waiter served;
    boolean over;
    pool.lock.lock();
    try {
      Connection connection = entry.connection;
      if (connection == null || entry.state == State.GONE || entry.state == State.DRAINING) {
        return;
      }
      pool.connections.refresh(entry, connection);
      long now = now();
      over = entry.state == State.DRAINING && entry.leases == 0;
      if (over) {
        pool.free(entry);
      }
      served = pool.serve(now);
      pool.keepTime(now);
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    if (over) {
      close(entry);
    }
  }

  /** Without a lock, after something has become free: wakes who has it, or will want it. */
  private void settle(@Nullable Waiter served) {
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

  private void relieve() {
    places.relieve().forEach(ConnectionPool::close);
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
    expired.forEach(ConnectionPool::close);
  }

  /**
   * What the pool holds now. Each route is looked at by itself, so that what one passes to another
   * meanwhile may show in both or in none.
   */
  public PoolSnapshot snapshot() {
    return snapshot(places.routes());
  }

  private PoolSnapshot snapshot(Collection<RoutePool> pools) {
    long now = now();
    List<PoolSnapshot.RouteSnapshot> routes = new ArrayList<>();
    for (RoutePool pool : pools) {
      pool.lock.lock();
      try {
        routes.add(pool.snapshot(now));
      } finally {
        pool.lock.unlock();
      }
    }
    return new PoolSnapshot(places.taken(), leaks.get(), limits, routes);
  }

  /**
   * Takes no more calls: those in the queue fail, idle connections close, and those in use close
   * when they are given back. Idempotent; does not wait.
   */
  public void shutdown() {
    shutdown = true;
    for (RoutePool pool : places.routes()) {
      List<PooledConnection> idle;
      List<Waiter> dismissed;
      pool.lock.lock();
      try {
        pool.forgetTime();
        idle = pool.freeIdle();
        dismissed = pool.dismissWaiters();
      } finally {
        pool.lock.unlock();
      }
      for (Waiter waiter : dismissed) {
        waiter.refuseBecauseClosed();
        waiter.wake();
      }
      idle.forEach(ConnectionPool::close);
    }
  }

  /**
   * After {@link #shutdown}: parks the calling thread until no connection is open or being opened.
   *
   * @throws DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public void awaitEmpty(Deadline deadline) throws IOException {
    closer = Thread.currentThread();
    Waiting.until(() -> places.taken() == 0, loop, deadline, "waiting for calls to end");
  }

  /** After {@link #shutdown}: closes the connections in use, so that the calls on them fail. */
  public void abort() {
    aborted = true;
    for (RoutePool pool : places.routes()) {
      all(pool).forEach(ConnectionPool::close);
    }
  }

  private static List<PooledConnection> all(RoutePool pool) {
    pool.lock.lock();
    try {
      return pool.connections.all();
    } finally {
      pool.lock.unlock();
    }
  }

  /**
   * Lets no further call use the connections whose peer's address is one of these, as when a name
   * does not lead there any more: idle ones are closed, the others when their calls have ended.
   *
   * @param vanished asked without a lock, once for each open connection
   * @return how many connections that were
   */
  public int drainIf(Predicate<? super SocketAddress> vanished) {
    return drainIf((route, address) -> vanished.test(address));
  }

  /** As {@link #drainIf(Predicate)}, where an address has vanished from some routes only. */
  public int drainIf(BiPredicate<? super Route, ? super SocketAddress> vanished) {
    int drained = 0;
    for (RoutePool pool : places.routes()) {
      for (PooledConnection entry : all(pool)) {
        Connection connection = entry.connection;
        SocketAddress address = connection == null ? null : connection.remoteAddress();
        if (address != null && vanished.test(pool.route, address) && drain(entry)) {
          drained++;
        }
      }
    }
    return drained;
  }

  private boolean drain(PooledConnection entry) {
    RoutePool pool = entry.route;
    Waiter served;
    boolean over;
    pool.lock.lock();
    try {
      if (entry.state == State.GONE || entry.state == State.DRAINING) {
        return false;
      }
      over = entry.state == State.IDLE;
      if (over) {
        pool.free(entry);
      } else {
        pool.connections.drain(entry);
      }
      long now = now();
      served = pool.serve(now);
      pool.keepTime(now);
    } finally {
      pool.lock.unlock();
    }
    settle(served);
    if (over) {
      close(entry);
    }
    return true;
  }

  /** Whether {@link #abort} was called: what is lost from then on was closed by the client. */
  public boolean isAborted() {
    return aborted;
  }

  /** A body was garbage before it had ended. */
  void countLeak() {
    leaks.incrementAndGet();
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

  private static void close(@Nullable PooledConnection entry) {
    Connection connection = entry == null ? null : entry.connection;
    if (connection != null) {
      connection.close();
    }
  }

  private static ClientClosedException closed(Exchange exchange) {
    return new ClientClosedException("the client is closed", exchange.point(), null);
  }
}
