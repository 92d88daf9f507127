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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client, by route. One short lock guards all of it; it is never held while a
 * connection is opened, written to or closed, nor while a thread waits.
 *
 * <p>A call that finds no connection with room opens one itself if the limits allow it, else it
 * waits in the queue of its route. What becomes free goes to the longest waiting call: a connection
 * that can be reused or shared, or the place of one that cannot.
 */
public final class ConnectionPool {
  private final PoolLimits limits;
  private final long idleNanos;
  private final Connector connector;
  private final EventLoop loop;
  private final Timer expiry;

  private final ReentrantLock lock = new ReentrantLock();

  // The next four are guarded by the lock.
  private final Places places;
  private boolean expiryArmed;
  private boolean shutdown;

  /** A connection that is opened after this is set is closed at once. */
  private boolean aborted;

  /** The thread in {@link #awaitEmpty}, woken whenever a place becomes free. */
  private volatile @Nullable Thread closer;

  /**
   * A pool without connections.
   *
   * @param loop keeps the time of those who wait and of idle connections
   */
  public ConnectionPool(PoolLimits limits, Connector connector, EventLoop loop) {
    this.limits = limits;
    this.idleNanos = Deadline.boundedNanos(limits.idleTimeout());
    this.connector = connector;
    this.loop = loop;
    this.places = new Places(this, limits);
    this.expiry = loop.newTimer(this::expireIdle);
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
    PooledConnection entry = take(route, exchange);
    Connection connection = entry.connection;
    if (connection != null) {
      return new Lease(this, entry, connection, true);
    }
    return new Lease(this, entry, open(entry, exchange), false);
  }

  private PooledConnection take(Route route, Exchange exchange) throws IOException {
    PooledConnection evicted = null;
    Waiter waiter;
    lock.lock();
    try {
      if (shutdown) {
        throw closed(exchange);
      }
      RoutePool pool = places.route(route);
      PooledConnection entry = places.lease(pool);
      if (entry != null) {
        return entry;
      }
      if (places.mayOpen(pool)) {
        evicted = places.isTotalReached() ? places.evictOldestIdle() : null;
        if (!places.isTotalReached()) {
          return places.reserve(places.route(route));
        }
      }
      waiter = places.enqueue(pool);
    } finally {
      lock.unlock();
      close(evicted);
    }
    if (waiter == null) {
      PoolSnapshot snapshot = snapshot();
      throw new PoolQueueFullException(snapshot.route(route), snapshot, exchange.point());
    }
    return await(route, waiter, exchange);
  }

  private PooledConnection await(Route route, Waiter waiter, Exchange exchange) throws IOException {
    exchange.queued();
    Deadline acquireBy = Deadline.after(limits.acquireTimeout(), loop.clock());
    try {
      Waiting.until(
          waiter::isOver, loop, exchange.deadline().earlier(acquireBy), "waiting for a connection");
    } catch (DeadlinePassedException e) {
      PooledConnection late = leaveQueue(route, waiter);
      if (late != null) {
        return late;
      }
      if (exchange.deadline().isPast(loop.clock())) {
        throw e;
      }
      PoolSnapshot snapshot = snapshot();
      throw new AcquireTimeoutException(snapshot.route(route), snapshot, exchange.point());
    } catch (IOException e) {
      PooledConnection late = leaveQueue(route, waiter);
      if (late != null) {
        release(late, true);
      }
      throw e;
    }
    PooledConnection granted = waiter.granted();
    if (granted == null) {
      throw closed(exchange);
    }
    return granted;
  }

  /** Answers what the waiter was given in the last moment, if anything. */
  private @Nullable PooledConnection leaveQueue(Route route, Waiter waiter) {
    return locked(() -> {
      places.leaveQueue(route, waiter);
      return waiter.granted();
    });
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
        release(entry, false);
      }
    }
  }

  /** Lets others have what the call that opened a connection leaves; false once aborted. */
  private boolean share(PooledConnection entry, Connection connection) {
    Grants grants = new Grants();
    boolean usable = locked(() -> {
      entry.route.opened(entry, connection);
      places.grantAll(entry.route, grants.served, grants.evicted);
      return !aborted;
    });
    grants.handOver();
    return usable;
  }

  /** What was decided under the lock, to be carried out without it. */
  private static final class Grants {
    final List<Waiter> served = new ArrayList<>(0);
    final List<PooledConnection> evicted = new ArrayList<>(0);

    void handOver() {
      served.forEach(Waiter::wake);
      evicted.forEach(ConnectionPool::close);
    }
  }

  /** Gives back what {@link #take} gave. */
  void release(PooledConnection entry, boolean reusable) {
    Connection connection = entry.connection;
    boolean keep = reusable && connection != null && connection.isOpen();
    long now = keep ? loop.clock().nanoTime() : 0;
    PooledConnection evicted = null;
    Waiter next = null;
    boolean over = false;
    lock.lock();
    try {
      keep = keep && !shutdown && mayServeOthers(entry);
      if (keep) {
        next = passOn(entry, now);
        evicted = next == null && places.needsEviction() ? places.evictOldestIdle() : null;
      } else {
        over = giveUp(entry);
      }
      next = next == null ? places.grantPlace() : next;
    } finally {
      lock.unlock();
    }
    wake(next);
    close(evicted);
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

  /** Under the lock: whether a connection takes further calls, as far as its pool knows. */
  private static boolean mayServeOthers(PooledConnection entry) {
    Connection connection = entry.connection;
    if (entry.multiplexed && connection != null && entry.state != State.GONE) {
      entry.route.refresh(entry, connection);
    }
    return switch (entry.state) {
      case OPENING, IDLE, ROOMY, BUSY -> true;
      case DRAINING, GONE -> false;
    };
  }

  /** Under the lock: the call that gets the place of another on a connection, if one waits. */
  private @Nullable Waiter passOn(PooledConnection entry, long now) {
    Waiter next = entry.leases <= entry.capacity ? places.pollWaiter(entry.route) : null;
    if (next != null) {
      next.grant(entry);
    } else {
      entry.route.giveBack(entry, now);
      if (entry.state == State.IDLE && !expiryArmed) {
        expiryArmed = true;
        expiry.arm(now + idleNanos);
      }
    }
    return next;
  }

  /** Under the lock: whether the connection is to be closed, because its last call has ended. */
  private boolean giveUp(PooledConnection entry) {
    if (entry.state == State.GONE) {
      return false;
    }
    if (entry.leases > 1) {
      entry.route.giveUp(entry);
      return false;
    }
    places.free(entry);
    return true;
  }

  /**
   * A connection has closed. If it was idle or shared, its place is free; else its lease will tell.
   */
  void connectionClosed(PooledConnection entry) {
    Grants grants = new Grants();
    locked(() -> {
      boolean known = entry.multiplexed || entry.state == State.IDLE;
      if (known && entry.state != State.GONE) {
        places.free(entry);
        places.grantAll(entry.route, grants.served, grants.evicted);
      }
      return null;
    });
    grants.handOver();
    LockSupport.unpark(closer);
  }

  /** A shared connection takes more or fewer calls than before, or no more. */
  void capacityChanged(PooledConnection entry) {
    Grants grants = new Grants();
    locked(() -> {
      Connection connection = entry.connection;
      if (connection == null || entry.state == State.GONE || entry.state == State.DRAINING) {
        return null;
      }
      entry.route.refresh(entry, connection);
      if (entry.state == State.DRAINING && entry.leases == 0) {
        places.free(entry);
        grants.evicted.add(entry);
      }
      places.grantAll(entry.route, grants.served, grants.evicted);
      return null;
    });
    grants.handOver();
    LockSupport.unpark(closer);
  }

  /** On the loop: closes what has been idle too long, and looks when the next will have been. */
  private void expireIdle() {
    long now = loop.clock().nanoTime();
    List<PooledConnection> expired = locked(() -> {
      List<PooledConnection> freed = places.freeIdleSince(now - idleNanos);
      long oldest = places.oldestIdleSince();
      expiryArmed = oldest != Deadline.NEVER_NANOS && !shutdown;
      expiry.arm(expiryArmed ? oldest + idleNanos : Deadline.NEVER_NANOS);
      return freed;
    });
    expired.forEach(ConnectionPool::close);
  }

  /** What the pool holds now. */
  public PoolSnapshot snapshot() {
    return locked(places::snapshot);
  }

  /**
   * Takes no more calls: those in the queue fail, idle connections close, and those in use close
   * when they are given back. Idempotent; does not wait.
   */
  public void shutdown() {
    List<PooledConnection> idle;
    List<Waiter> dismissed;
    lock.lock();
    try {
      shutdown = true;
      expiry.cancel();
      idle = places.freeIdleSince(Deadline.NEVER_NANOS);
      dismissed = places.dismissWaiters();
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : dismissed) {
      waiter.refuseBecauseClosed();
      waiter.wake();
    }
    idle.forEach(ConnectionPool::close);
  }

  /**
   * After {@link #shutdown}: parks the calling thread until no connection is open or being opened.
   *
   * @throws DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public void awaitEmpty(Deadline deadline) throws IOException {
    closer = Thread.currentThread();
    Waiting.until(() -> locked(places::isEmpty), loop, deadline, "waiting for calls to end");
  }

  /** After {@link #shutdown}: closes the connections in use, so that the calls on them fail. */
  public void abort() {
    List<PooledConnection> all = locked(() -> {
      aborted = true;
      return places.all();
    });
    all.forEach(ConnectionPool::close);
  }

  /** Whether {@link #abort} was called: what is lost from then on was closed by the client. */
  public boolean isAborted() {
    return locked(() -> aborted);
  }

  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private void wake(@Nullable Waiter next) {
    if (next != null) {
      next.wake();
    }
    LockSupport.unpark(closer);
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
