package heddle.client.pool;

import heddle.client.route.Route;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.TooManyOpenFilesException;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiPredicate;
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
  /**
   * How long a call waits for the descriptor of a connection that makes room, and how long more.
   */
  private static final long DESCRIPTOR_NANOS = 10_000_000;

  private static final long LAST_DESCRIPTOR_NANOS = 100_000_000;

  private final PoolLimits limits;
  private final Connector connector;
  private final EventLoop loop;
  private final Upkeep upkeep;
  private final Places places;

  /** A connection that is opened after this is set is closed at once; read under a route's lock. */
  private volatile boolean aborted;

  /**
   * A pool without connections.
   *
   * @param loop keeps the time of those who wait and of idle connections
   */
  public ConnectionPool(PoolLimits limits, Connector connector, EventLoop loop) {
    this.limits = limits;
    this.connector = connector;
    this.loop = loop;
    this.upkeep = new Upkeep(limits, loop);
    this.places = upkeep.places;
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
    return acquire(route, exchange, upkeep.now());
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

  /**
   * Leases a connection that is open and shared, but another route's; never opens one and never
   * waits. The call counts where its connection does: as one of that route.
   *
   * @param suits asked without a lock, for each such connection until one suits and has room
   * @return null if there is none, and where a connection of the call's own route is open or being
   *     opened
   */
  public @Nullable Lease acquireElsewhere(
      Route route, Exchange exchange, BiPredicate<? super Route, ? super Connection> suits)
      throws IOException {
    PooledConnection entry = new OtherRoutes(upkeep).lease(route, suits);
    return entry == null ? null : lease(entry, exchange, upkeep.now());
  }

  /** All places are taken: a connection that nobody uses makes room, or the call waits. */
  private Lease acquireByEviction(Route route, Exchange exchange, long now) throws IOException {
    PooledConnection evicted = places.evictForNewcomer();
    boolean placeInHand = evicted != null;
    Upkeep.close(evicted);
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
      upkeep.relieve();
    }
    return entry == null ? await(pool, waiter, exchange, now) : lease(entry, exchange, now);
  }

  /** What a call has been given, a connection or the right to open one, as a lease. */
  private Lease lease(PooledConnection entry, Exchange exchange, long since) throws IOException {
    Connection connection = entry.connection;
    if (connection != null) {
      if (since >= entry.renewAt) {
        renew(entry, since);
      }
      return new Lease(entry, connection, true, since);
    }
    Connection opened = open(entry, exchange);
    return new Lease(entry, opened, false, upkeep.now());
  }

  private void refuseIfShutdown(Exchange exchange) throws ClientClosedException {
    if (upkeep.isShutdown()) {
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
        upkeep.release(late, true, Upkeep.NOT_USED);
      }
      throw e;
    }
    PooledConnection granted = waiter.granted();
    if (granted == null) {
      throw closed(exchange);
    }
    if (Thread.currentThread().isInterrupted()) {
      // It came together with the grant: nothing is opened for a call that has been cancelled.
      upkeep.release(granted, true, Upkeep.NOT_USED);
      throw new InterruptedIOException("interrupted while waiting for a connection");
    }
    return lease(granted, exchange, waiter.grantedAt());
  }

  /** Answers what the waiter was given in the last moment, if anything. */
  private @Nullable PooledConnection leaveQueue(RoutePool pool, Waiter waiter) {
    pool.lock.lock();
    try {
      pool.leave(waiter);
      pool.keepTime(upkeep.now());
    } finally {
      pool.lock.unlock();
    }
    return waiter.granted();
  }

  Connection open(PooledConnection entry, Exchange exchange) throws IOException {
    boolean opened = false;
    try {
      Connection connection = connect(entry, exchange);
      if (!share(entry, connection)) {
        throw closed(exchange);
      }
      opened = true;
      return connection;
    } finally {
      if (!opened) {
        upkeep.release(entry, false, Upkeep.NOT_USED);
      }
    }
  }

  /** Where the process may open no more files, an idle connection of whichever route is closed. */
  private Connection connect(PooledConnection entry, Exchange exchange) throws IOException {
    Route route = entry.route.route;
    try {
      return connector.connect(route, exchange, entry);
    } catch (TooManyOpenFilesException e) {
      PooledConnection idle = places.evictIdle();
      if (idle == null) {
        throw e;
      }
      Upkeep.close(idle);
      places.free();
      upkeep.relieve();
    }
    // Its loop gives the descriptor back, after TLS has said goodbye.
    pause(exchange, DESCRIPTOR_NANOS);
    try {
      return connector.connect(route, exchange, entry);
    } catch (TooManyOpenFilesException e) {
      pause(exchange, LAST_DESCRIPTOR_NANOS);
      return connector.connect(route, exchange, entry);
    }
  }

  private void pause(Exchange exchange, long nanos) throws IOException {
    long until = loop.clock().nanoTime() + nanos;
    Waiting.until(
        () -> loop.clock().nanoTime() >= until,
        loop,
        exchange.deadline().earlier(new Deadline(until)),
        "waiting for an idle connection to close");
  }

  /**
   * Has the successor of a shared connection opened that will soon be too old, while calls still
   * use that one: else the first call after its end would wait for a handshake. Where the limits
   * have no place for both, the successor is opened when it is too old, by a call that needs it.
   */
  private void renew(PooledConnection aging, long now) {
    RoutePool pool = aging.route;
    Thread thread;
    pool.lock.lock();
    try {
      // The connection may have closed meanwhile, and its route been forgotten.
      boolean wanted = now >= aging.renewAt && !pool.retired && !upkeep.isShutdown();
      if (!wanted || !pool.mayOpenAtOnce() || !places.tryTake()) {
        return;
      }
      aging.renewAt = Deadline.NEVER_NANOS;
      Deadline deadline = Deadline.after(limits.acquireTimeout(), now);
      Renewal renewal = new Renewal(this, aging, pool.reserve(), deadline);
      thread = Thread.ofVirtual().name("heddle-renew").unstarted(renewal);
      pool.renewal = thread;
    } finally {
      pool.lock.unlock();
    }
    thread.start();
  }

  /** Lets others have what the call that opened a connection leaves; false once aborted. */
  private boolean share(PooledConnection entry, Connection connection) {
    RoutePool pool = entry.route;
    Waiter served;
    boolean usable;
    pool.lock.lock();
    try {
      long now = upkeep.now();
      pool.connections.opened(entry, connection, now);
      served = pool.serve(now);
      usable = !aborted;
    } finally {
      pool.lock.unlock();
    }
    upkeep.settle(served);
    return usable;
  }

  /**
   * What the pool holds now. Each route is looked at by itself, so that what one passes to another
   * meanwhile may show in both or in none.
   */
  public PoolSnapshot snapshot() {
    return snapshot(places.routes());
  }

  /** How many requests a second a route gets; the other routes are not looked at. */
  public double arrivalRate(Route route) {
    RoutePool pool = places.find(route);
    return pool == null ? 0 : snapshot(List.of(pool)).route(route).arrivalRate();
  }

  private PoolSnapshot snapshot(Collection<RoutePool> pools) {
    long now = upkeep.now();
    List<PoolSnapshot.RouteSnapshot> routes = new ArrayList<>();
    for (RoutePool pool : pools) {
      pool.lock.lock();
      try {
        routes.add(pool.snapshot(now));
      } finally {
        pool.lock.unlock();
      }
    }
    return new PoolSnapshot(places.taken(), upkeep.leaks(), limits, routes);
  }

  /** Closes the connections that no call has used for so long, whatever the idle timeout is. */
  public int closeIdle(long unusedNanos) {
    int closed = 0;
    for (RoutePool pool : places.routes()) {
      closed += upkeep.closeIdle(pool, unusedNanos);
    }
    return closed;
  }

  /**
   * Takes no more calls: those in the queue fail, idle connections close, and those in use close
   * when they are given back. Idempotent; does not wait.
   */
  public void shutdown() {
    upkeep.shutdown();
    for (RoutePool pool : places.routes()) {
      List<PooledConnection> idle;
      List<Waiter> dismissed;
      Thread renewal;
      pool.lock.lock();
      try {
        renewal = pool.renewal;
        pool.forgetTime();
        idle = pool.freeIdle(Long.MAX_VALUE);
        dismissed = pool.dismissWaiters();
      } finally {
        pool.lock.unlock();
      }
      for (Waiter waiter : dismissed) {
        waiter.refuseBecauseClosed();
        waiter.wake();
      }
      idle.forEach(Upkeep::close);
      if (renewal != null) {
        renewal.interrupt();
      }
    }
  }

  /**
   * After {@link #shutdown}: parks the calling thread until no connection is open or being opened.
   *
   * @throws DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public void awaitEmpty(Deadline deadline) throws IOException {
    upkeep.wakeWhenPlacesAreFree(Thread.currentThread());
    Waiting.until(() -> places.taken() == 0, loop, deadline, "waiting for calls to end");
  }

  /** After {@link #shutdown}: closes the connections in use, so that the calls on them fail. */
  public void abort() {
    aborted = true;
    for (RoutePool pool : places.routes()) {
      all(pool).forEach(Upkeep::close);
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
   * @param vanished asked without a lock, once for each open connection: an address may have
   *     vanished from some routes only
   * @return how many connections that were
   */
  public int drainIf(BiPredicate<? super Route, ? super SocketAddress> vanished) {
    int drained = 0;
    for (RoutePool pool : places.routes()) {
      for (PooledConnection entry : all(pool)) {
        Connection connection = entry.connection;
        SocketAddress address = connection == null ? null : connection.remoteAddress();
        if (address != null && vanished.test(pool.route, address) && upkeep.drain(entry)) {
          drained++;
        }
      }
    }
    return drained;
  }

  /** Whether {@link #abort} was called: what is lost from then on was closed by the client. */
  public boolean isAborted() {
    return aborted;
  }

  private static ClientClosedException closed(Exchange exchange) {
    return new ClientClosedException("the client is closed", exchange.point(), null);
  }
}
