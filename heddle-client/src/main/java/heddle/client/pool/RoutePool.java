package heddle.client.pool;

import heddle.client.pool.PooledConnection.State;
import heddle.client.route.Route;
import heddle.transport.Deadline;
import heddle.transport.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the pool holds for one route, under a lock of its own, so that calls of different routes do
 * not wait for each other: its connections, the calls that wait for one, what is known of its load,
 * and the timer for what is over its time.
 *
 * <p>What is not said to take the lock is called under it.
 */
final class RoutePool {
  /** How long a route that nobody uses is remembered. */
  static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(5);

  final ReentrantLock lock = new ReentrantLock();
  final Route route;

  /** Guarded by the lock, but for the age of what is idle. */
  final RouteConnections connections;

  private final Upkeep owner;
  private final Places places;
  private final PoolLimits limits;
  private final Timer timer;

  // All below are guarded by the lock.

  /** Forgotten by the pool: whoever found this route has to look it up again. */
  boolean retired;

  /** Opens the successor of a connection; null while none is being opened. */
  @Nullable
  Thread renewal;

  /** Whether the route is in the line of those that wait for a place. */
  private boolean starved;

  private final WaiterQueue waiters = new WaiterQueue();
  private final RouteLoad load;
  private final @Nullable AdaptiveLimit adaptive;
  private long timerArmedFor = Deadline.NEVER_NANOS;

  /** Since when nobody uses the route; only while that is so. */
  private long unusedSince;

  RoutePool(Route route, Upkeep owner, Places places, PoolLimits limits) {
    this.route = route;
    this.owner = owner;
    this.places = places;
    this.limits = limits;
    this.connections = new RouteConnections(route, limits);
    this.load = new RouteLoad(owner.now());
    PoolLimits.Adaptive bounds = limits.adaptive();
    this.adaptive = bounds == null ? null : new AdaptiveLimit(bounds);
    this.timer = owner.newTimer(() -> owner.expire(this));
  }

  private boolean isUnused() {
    return connections.isEmpty() && waiters.isEmpty();
  }

  private int inFlightLimit() {
    return adaptive == null ? limits.maxInFlightPerRoute() : adaptive.limit();
  }

  private boolean mayTakeCalls() {
    return connections.inFlight() < inFlightLimit();
  }

  private boolean mayGrow() {
    return mayTakeCalls() && connections.mayGrow();
  }

  private @Nullable PooledConnection lease(long now) {
    return mayTakeCalls() ? connections.lease(now) : null;
  }

  // ---- calls that come, and those that wait

  /** A call has come. */
  void arrived(long now) {
    load.arrived(now);
  }

  /** A connection for a call that comes now, if there is one and nobody has waited longer. */
  @Nullable
  PooledConnection leaseAtOnce(long now) {
    return waiters.isEmpty() ? lease(now) : null;
  }

  /** As {@link #leaseAtOnce(long)}, of this very connection; false where that is not possible. */
  boolean leaseAtOnce(PooledConnection entry, long now) {
    return waiters.isEmpty() && mayTakeCalls() && connections.lease(entry, now);
  }

  /** Whether a call that comes now may open a connection as far as its own route is concerned. */
  boolean mayOpenAtOnce() {
    return waiters.isEmpty() && mayGrow();
  }

  /** A connection that the calling thread is about to open, for which it has taken a place. */
  PooledConnection reserve() {
    PooledConnection entry = new PooledConnection(owner, this);
    connections.add(entry);
    return entry;
  }

  /** Puts the calling thread at the end of the queue; null when the queue is full. */
  @Nullable
  Waiter enqueue() {
    if (waiters.size() >= limits.maxQueuedPerRoute()) {
      return null;
    }
    Waiter waiter = new Waiter();
    waiters.add(waiter);
    if (mayGrow()) {
      starve();
    }
    return waiter;
  }

  /** Takes a call out of the queue that gives up. */
  void leave(Waiter waiter) {
    waiters.remove(waiter);
    if (waiters.isEmpty()) {
      starveNoMore();
    }
  }

  private void starve() {
    if (!starved) {
      starved = true;
      places.addStarved(this);
    }
  }

  private void starveNoMore() {
    if (starved) {
      starved = false;
      places.removeStarved(this);
    }
  }

  /**
   * Gives those who wait what there is for them now: room on connections, then places for new ones.
   *
   * @return the first of those who have been given something, linked to the others; to be woken
   *     without the lock
   */
  @Nullable
  Waiter serve(long now) {
    Waiter firstServed = null;
    Waiter lastServed = null;
    while (!waiters.isEmpty()) {
      PooledConnection entry = lease(now);
      if (entry == null && mayGrow() && places.tryTake()) {
        entry = reserve();
      }
      Waiter next = entry == null ? null : waiters.poll();
      if (entry == null || next == null) {
        break;
      }
      next.grant(entry, now);
      if (lastServed == null) {
        firstServed = next;
      } else {
        lastServed.next = next;
      }
      lastServed = next;
    }
    if (!waiters.isEmpty() && mayGrow()) {
      starve();
    } else {
      starveNoMore();
    }
    return firstServed;
  }

  /**
   * What has become free goes to those who wait, as by {@link #serve}, and the time of the rest is
   * kept.
   */
  @Nullable
  Waiter passOn(long now) {
    Waiter firstServed = serve(now);
    keepTime(now);
    return firstServed;
  }

  /**
   * Takes the lock, after the route has left the line of those that wait for a place.
   *
   * @return who has been given the place that the calling thread holds; null if nobody needs it
   */
  @Nullable
  Waiter takeGivenPlace() {
    long now = owner.now();
    lock.lock();
    try {
      starved = false;
      Waiter next = mayGrow() ? waiters.poll() : null;
      if (next != null) {
        next.grant(reserve(), now);
        if (!waiters.isEmpty() && mayGrow()) {
          starve();
        }
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Empties the queue. */
  List<Waiter> dismissWaiters() {
    List<Waiter> dismissed = new ArrayList<>();
    for (Waiter next = waiters.poll(); next != null; next = waiters.poll()) {
      dismissed.add(next);
    }
    starveNoMore();
    return dismissed;
  }

  // ---- what is given back

  /**
   * A call is about to give its connection back.
   *
   * @param since when it got the connection, open
   * @param well whether the connection is still of use: who fails may do so fast
   */
  void ended(long since, long now, boolean well) {
    load.ended(Math.max(0, now - since));
    if (adaptive != null && well) {
      adaptive.ended(since, now, connections.inFlight());
    }
  }

  /**
   * One call less uses a connection that no further call is to use.
   *
   * @return whether it is to be closed, because that was its last call
   */
  boolean giveUp(PooledConnection entry) {
    if (entry.state == State.GONE) {
      return false;
    }
    if (entry.leases > 1) {
      connections.giveUpOne(entry);
      return false;
    }
    free(entry);
    return true;
  }

  /** Forgets a connection, and the calls that still use it; its place is free. */
  void free(PooledConnection entry) {
    connections.remove(entry);
    places.free();
  }

  /**
   * Takes the lock: takes the connection out that has been idle longest.
   *
   * @return the connection, whose place belongs to the calling thread; null if none is idle now
   */
  @Nullable
  PooledConnection evictOldestIdle() {
    long now = owner.now();
    lock.lock();
    try {
      PooledConnection oldest = connections.oldestIdle();
      if (oldest != null) {
        connections.remove(oldest);
        keepTime(now);
      }
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  /** Frees the places of the connections that nobody uses, and has used since then. */
  List<PooledConnection> freeIdle(long since) {
    List<PooledConnection> freed = new ArrayList<>();
    PooledConnection oldest = connections.oldestIdle();
    for (; oldest != null && oldest.idleSince <= since; oldest = connections.oldestIdle()) {
      free(oldest);
      freed.add(oldest);
    }
    return freed;
  }

  // ---- time

  /** Sees to it that the timer comes when something here will be over its time. */
  void keepTime(long now) {
    if (retired || owner.isShutdown()) {
      return;
    }
    PooledConnection newest = connections.newestIdle();
    if (newest != null) {
      // Those that became idle before have been looked at then.
      arm(connections.endOfIdle(newest, now));
    } else if (isUnused()) {
      if (places.routeCount() > 2 * limits.maxTotal()) {
        retire(); // More have been used of late than are worth remembering.
      } else {
        unusedSince = now;
        arm(now + UNUSED_NANOS);
      }
    }
  }

  private void arm(long due) {
    if (due < timerArmedFor) {
      timerArmedFor = due;
      timer.arm(due);
    }
  }

  /** The timer has come: frees what has been idle too long, and forgets a route long unused. */
  List<PooledConnection> expire(long now) {
    timerArmedFor = Deadline.NEVER_NANOS;
    if (!isUnused()) {
      List<PooledConnection> expired = freeStale(now);
      keepTime(now);
      return expired;
    }
    if (now - unusedSince >= UNUSED_NANOS) {
      retire();
    } else {
      arm(unusedSince + UNUSED_NANOS);
    }
    return List.of();
  }

  /** Frees the places of idle connections whose time is over; arms the timer for the others. */
  private List<PooledConnection> freeStale(long now) {
    List<PooledConnection> freed = new ArrayList<>();
    PooledConnection entry = connections.newestIdle();
    while (entry != null) {
      PooledConnection older = entry.older;
      long end = connections.endOfIdle(entry, now);
      if (now >= end) {
        free(entry);
        freed.add(entry);
      } else {
        arm(end);
      }
      entry = older;
    }
    return freed;
  }

  /**
   * A connection turned out to be closed after it had been idle.
   *
   * @return connections that have been idle too long by what was learned, to be closed
   */
  List<PooledConnection> learnIdle(long idleNanos, long now) {
    return connections.learnIdle(idleNanos, now) ? freeStale(now) : List.of();
  }

  private void retire() {
    retired = true;
    places.forget(this);
    timer.cancel();
  }

  /** The pool is closed: nothing here has to be done at a later time. */
  void forgetTime() {
    timer.cancel();
  }

  PoolSnapshot.RouteSnapshot snapshot(long now) {
    return new PoolSnapshot.RouteSnapshot(
        route,
        connections.open(),
        connections.idle(),
        connections.draining(),
        waiters.size(),
        connections.inFlight(),
        inFlightLimit(),
        connections.areShared(),
        load.arrivalRate(now),
        load.meanTimeInUse(now),
        Duration.ofNanos(connections.idleNanos(now)));
  }
}
