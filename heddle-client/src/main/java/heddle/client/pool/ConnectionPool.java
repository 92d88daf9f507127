package heddle.client.pool;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolQueueFullException;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.http.HttpException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TooManyOpenFilesException;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.time.Duration;
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
 * waits in the queue of its route. The longest waiting call gets what becomes free: a connection
 * that can be reused or shared, or the place of one that cannot. When all places of the pool are
 * taken, the connection that has been idle longest on any route is closed to make room.
 */
public final class ConnectionPool {
  /** How long a call waits until an evicted connection has released its file descriptor. */
  private static final long DESCRIPTOR_NANOS = 10_000_000;

  private static final long LAST_DESCRIPTOR_NANOS = 100_000_000;

  private final Connector connector;
  private final EventLoop loop;
  private final Routes routes;

  /** A connection that is opened after this is set is closed at once. */
  private volatile boolean aborted;

  /**
   * A pool without connections.
   *
   * @param loop provides the clock and the timers
   */
  public ConnectionPool(PoolLimits limits, Connector connector, EventLoop loop) {
    this.connector = connector;
    this.loop = loop;
    this.routes = new Routes(limits, loop);
  }

  /**
   * Leases a connection; opens one or parks the calling thread if necessary.
   *
   * @param exchange the call, whose deadline applies
   * @throws PoolQueueFullException if too many calls wait already
   * @throws AcquireTimeoutException if none became free within the acquire timeout
   * @throws DeadlineExceededException when the call's deadline passes first
   * @throws ClientClosedException if the pool is closed before or meanwhile
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IOException if opening a connection fails
   */
  public Lease acquire(Route route, Exchange exchange) throws IOException {
    return acquire(route, exchange, false, routes.now());
  }

  /**
   * As {@link #acquire(Route, Exchange)}, for a caller that has just read the clock.
   *
   * @param anew whether the connection must not have been idle, because its peer may be closing it;
   *     without an effect if calls share connections
   * @param now the loop's time
   */
  public Lease acquire(Route route, Exchange exchange, boolean anew, long now) throws IOException {
    RoutePool pool;
    Admission admission;
    do {
      pool = routes.of(route);
      admission = pool.admit(anew, now);
    } while (admission == Admission.Denied.RETIRED);
    if (admission instanceof Waiter waiter) {
      // Here, because each frame below a thread that waits is in the heap.
      Deadline until = queued(exchange, now);
      try {
        Waiting.until(waiter::isOver, loop, until, "waiting for a connection");
      } catch (IOException e) {
        leave(pool, waiter, exchange, e);
      }
      return granted(pool, waiter, exchange);
    }
    // No switch over types: the first one of a process takes as long as a short call.
    if (admission instanceof PooledConnection entry) {
      return lease(entry, exchange, now);
    }
    throw admission == Admission.Denied.QUEUE_FULL ? queueFull(pool, exchange) : closed(exchange);
  }

  /**
   * Leases an open shared connection of another route; never opens one and never waits. The call
   * counts as one of that route.
   *
   * @param suits asked without a lock, for each such connection until one suits and has room
   * @return null if there is none, or if a connection of the call's own route is open or being
   *     opened
   */
  public @Nullable Lease acquireElsewhere(
      Route route, Exchange exchange, BiPredicate<? super Route, ? super Connection> suits)
      throws IOException {
    RoutePool own = routes.byRoute.get(route);
    if (own != null && own.hasConnections()) {
      return null;
    }
    for (RoutePool other : routes.byRoute.values()) {
      if (other == own) {
        continue;
      }
      for (PooledConnection entry : other.connectionsFor(route.origin())) {
        Connection connection = entry.connection;
        boolean shared = connection != null && connection.isMultiplexed();
        if (shared && suits.test(other.route, connection) && other.lease(entry)) {
          return lease(entry, exchange, routes.now());
        }
      }
    }
    return null;
  }

  /** Makes the lease, opening the connection if it is new. Releases the entry on failure. */
  private Lease lease(PooledConnection entry, Exchange exchange, long since) throws IOException {
    Connection known = entry.connection;
    boolean reused = known != null;
    Connection connection = known == null ? open(entry, exchange) : known;
    Lease lease = null;
    try {
      if (reused && since >= entry.renewAt) {
        entry.route.renew(entry, this, since);
      }
      lease = new Lease(entry, connection, reused, reused ? since : routes.now());
      return lease;
    } finally {
      if (lease == null) { // Out of memory.
        entry.route.release(entry, true, RoutePool.NOT_USED);
      }
    }
  }

  private PoolQueueFullException queueFull(RoutePool pool, Exchange exchange) {
    // Of this route only: many calls may be refused at once, and must not slow down the others.
    PoolSnapshot snapshot = snapshot(List.of(pool));
    return new PoolQueueFullException(snapshot.route(pool.route), snapshot, exchange.point());
  }

  /** The deadline passed in the queue: says how full the route is, and which limit to raise. */
  private DeadlineExceededException outOfTime(RoutePool pool, Exchange exchange) {
    // Of this route only: the deadlines of many calls may pass at once.
    PoolSnapshot snapshot = snapshot(List.of(pool));
    PoolSnapshot.RouteSnapshot route = snapshot.route(pool.route);
    var late = new AcquireTimeoutException(null, route, snapshot, exchange.point());
    return HttpException.advise(
        new DeadlineExceededException(late.problem(), exchange.point(), late),
        ": " + route.remedy(snapshot.limits()) + ", or allow the call more time");
  }

  /** The call waits from now on; returns until when. */
  private Deadline queued(Exchange exchange, long now) {
    exchange.queued();
    Duration acquireTimeout = routes.limits.acquireTimeout();
    return acquireTimeout == null
        ? exchange.deadline()
        : exchange.deadline().earlier(Deadline.after(acquireTimeout, now));
  }

  /** Waiting has failed; returns if the call was granted a connection just then that it may use. */
  private void leave(RoutePool pool, Waiter waiter, Exchange exchange, IOException e)
      throws IOException {
    PooledConnection late = pool.leave(waiter);
    if (!(e instanceof DeadlinePassedException)) {
      if (late != null) {
        pool.release(late, true, RoutePool.NOT_USED);
      }
      throw e;
    }
    if (late != null) {
      return;
    }
    if (exchange.deadline().isPast(loop.clock())) {
      throw outOfTime(pool, exchange);
    }
    PoolSnapshot snapshot = snapshot();
    throw new AcquireTimeoutException(
        routes.limits.acquireTimeout(), snapshot.route(pool.route), snapshot, exchange.point());
  }

  private Lease granted(RoutePool pool, Waiter waiter, Exchange exchange) throws IOException {
    PooledConnection granted = waiter.granted();
    if (granted == null) {
      throw closed(exchange);
    }
    if (Thread.currentThread().isInterrupted()) {
      // The interrupt came together with the grant: no connection is opened for a cancelled call.
      pool.release(granted, true, RoutePool.NOT_USED);
      throw new InterruptedIOException("interrupted while waiting for a connection");
    }
    return lease(granted, exchange, waiter.grantedAt());
  }

  Connection open(PooledConnection entry, Exchange exchange) throws IOException {
    boolean opened = false;
    Connection connection = null;
    try {
      entry.closeReplaced();
      connection = connect(entry, exchange);
      entry.route.opened(entry, connection);
      // An abort that began before the connection was opened did not find it.
      if (aborted) {
        throw closed(exchange);
      }
      opened = true;
      return connection;
    } finally {
      if (!opened) {
        entry.route.release(entry, false, RoutePool.NOT_USED);
        if (connection != null) {
          connection.close(); // If memory ran out, the entry may not refer to it yet.
        }
      }
    }
  }

  /** If the process may open no more files, an idle connection of any route is closed. */
  private Connection connect(PooledConnection entry, Exchange exchange) throws IOException {
    Route route = entry.route.route;
    try {
      return connector.connect(route, exchange, entry);
    } catch (TooManyOpenFilesException e) {
      PooledConnection idle = routes.evictIdle();
      if (idle == null) {
        throw e;
      }
      idle.close();
      routes.freePlace();
      routes.relieve();
    }
    // The loop closes the descriptor after it has sent TLS's close_notify.
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
   * The state of the pool. Each route is read separately, so that a place which moves from one to
   * another meanwhile may appear in both or in neither.
   */
  public PoolSnapshot snapshot() {
    return snapshot(routes.byRoute.values());
  }

  /** How many requests per second a route gets; does not read the other routes. */
  public double arrivalRate(Route route) {
    RoutePool pool = routes.byRoute.get(route);
    return pool == null ? 0 : pool.snapshot(routes.now()).arrivalRate();
  }

  private PoolSnapshot snapshot(Collection<RoutePool> pools) {
    long now = routes.now();
    List<PoolSnapshot.RouteSnapshot> snapshots =
        pools.stream().map(pool -> pool.snapshot(now)).toList();
    return new PoolSnapshot(routes.placesTaken(), routes.leaks.get(), routes.limits, snapshots);
  }

  /**
   * Closes the connections that no call has used for this long, whatever the idle timeout is;
   * returns how many those were.
   */
  public int closeIdle(long unusedNanos) {
    return routes.byRoute.values().stream()
        .mapToInt(pool -> pool.closeIdle(unusedNanos))
        .sum();
  }

  /**
   * Takes no more calls: those in the queue fail, idle connections close, and those in use close
   * when they are released. Idempotent; does not wait.
   */
  public void shutdown() {
    routes.shutDown();
    routes.byRoute.values().forEach(RoutePool::shutDown);
  }

  /**
   * After {@link #shutdown}: parks the calling thread until no connection is open or being opened.
   *
   * @throws DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public void awaitEmpty(Deadline deadline) throws IOException {
    routes.closer = Thread.currentThread();
    Waiting.until(() -> routes.placesTaken() == 0, loop, deadline, "waiting for calls to end");
  }

  /** After {@link #shutdown}: closes the connections in use, so that the calls on them fail. */
  public void abort() {
    aborted = true;
    for (RoutePool pool : routes.byRoute.values()) {
      pool.connections().forEach(PooledConnection::close);
    }
  }

  /**
   * Drains the connections whose peer's address matches, for example because a host no longer has
   * it: idle ones are closed at once, the others when their calls have ended.
   *
   * @param vanished asked without a lock, once for each open connection: an address may have
   *     vanished from some routes only
   * @return the number of connections drained
   */
  public int drainIf(BiPredicate<? super Route, ? super SocketAddress> vanished) {
    int drained = 0;
    for (RoutePool pool : routes.byRoute.values()) {
      for (PooledConnection entry : pool.connections()) {
        Connection connection = entry.connection;
        SocketAddress address = connection == null ? null : connection.remoteAddress();
        if (address != null && vanished.test(pool.route, address) && pool.drain(entry)) {
          drained++;
        }
      }
    }
    return drained;
  }

  /** Whether {@link #abort} was called, so that the client itself has closed its connections. */
  public boolean isAborted() {
    return aborted;
  }

  private static ClientClosedException closed(Exchange exchange) {
    return new ClientClosedException("the client is closed", exchange.point(), null);
  }
}
