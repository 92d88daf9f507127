package heddle.client.pool;

import heddle.client.pool.PooledConnection.State;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.http.Origin;
import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pool's state for one route: its connections, the calls that wait for one, its measured load,
 * and the timer that expires idle connections. Each route has a separate lock, so that calls of
 * different routes do not wait for each other.
 *
 * <p>Each method that is not private takes the lock and decides under it. After releasing the lock
 * it wakes the calls that were served and closes the connections that were given up.
 */
final class RoutePool {
  /** How long a route that no call uses is remembered. */
  static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Stands for the time at which a call got a connection, if the call did not use it. */
  static final long NOT_USED = Long.MIN_VALUE;

  /** A peer that has closed a connection says so as soon as a request arrives on it. */
  private static final long DEAD_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Route route;
  private final Routes routes;
  private final PoolLimits limits;
  private final Timer timer;
  private final ReentrantLock lock = new ReentrantLock();

  // The following fields are guarded by the lock, except that any thread may call
  // connections.oldestIdleSince.

  private final RouteConnections connections;
  private final WaiterQueue waiters = new WaiterQueue();
  private final RouteLoad load;
  private final @Nullable AdaptiveLimit adaptive;

  /** Whether the pool has forgotten the route: callers look it up again. */
  private boolean retired;

  /** Whether the route is in the queue of routes that wait for a place. */
  private boolean starved;

  /** The thread that opens the successor of a connection; null if none is being opened. */
  private @Nullable Renewal renewal;

  private long timerArmedFor = Deadline.NEVER_NANOS;

  /** When the route became unused; valid only while it is unused. */
  private long unusedSince;

  RoutePool(Route route, Routes routes) {
    this.route = route;
    this.routes = routes;
    this.limits = routes.limits();
    this.connections = new RouteConnections(route, limits);
    this.load = new RouteLoad(routes.now());
    PoolLimits.Adaptive bounds = limits.adaptive();
    this.adaptive = bounds == null ? null : new AdaptiveLimit(bounds);
    this.timer = routes.newTimer(this::expire);
  }

  Route route() {
    return route;
  }

  // ---- calls that arrive, and those that wait

  /** Admits a call. If it is queued, the calling thread is the one that is woken. */
  Admission admit(long now) {
    lock.lock();
    try {
      Admission denied = denied();
      if (denied != null) {
        return denied;
      }
      load.arrived(now);
      PooledConnection entry = waiters.isEmpty() ? lease(now) : null;
      if (entry != null) {
        return entry;
      }
      if (waiters.isEmpty() && mayGrow()) {
        return routes.tryTakePlace() ? reserve() : Admission.Denied.NO_PLACE;
      }
      return enqueue();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Admits a call that was denied because no place was free, perhaps with a place that it got
   * meanwhile.
   *
   * @param placeInHand whether the calling thread has a place; it is used if the connection that is
   *     returned {@linkplain PooledConnection#isNew is new}
   */
  Admission admitAgain(boolean placeInHand, long now) {
    lock.lock();
    try {
      Admission denied = denied();
      if (denied != null) {
        return denied;
      }
      PooledConnection entry = waiters.isEmpty() ? lease(now) : null;
      if (entry == null && placeInHand && waiters.isEmpty() && mayGrow()) {
        entry = reserve();
      }
      if (entry != null) {
        return entry;
      }
      Admission queued = enqueue();
      keepTime(now);
      return queued;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Admission denied() {
    if (retired) {
      return Admission.Denied.RETIRED;
    }
    return routes.isShutDown() ? Admission.Denied.SHUT_DOWN : null;
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

  /** A new entry for a connection that will be opened; its place has been taken already. */
  private PooledConnection reserve() {
    PooledConnection entry = new PooledConnection(this);
    connections.add(entry);
    return entry;
  }

  /** Queues the calling thread, unless the queue is full. */
  private Admission enqueue() {
    if (waiters.size() >= limits.maxQueuedPerRoute()) {
      return Admission.Denied.QUEUE_FULL;
    }
    Waiter waiter = new Waiter();
    waiters.add(waiter);
    if (mayGrow()) {
      starve();
    }
    return waiter;
  }

  /**
   * Removes a call from the queue because it gives up.
   *
   * @return the connection that it was granted at the last moment; null if none
   */
  @Nullable
  PooledConnection leave(Waiter waiter) {
    lock.lock();
    try {
      waiters.remove(waiter);
      if (waiters.isEmpty()) {
        starveNoMore();
      }
      keepTime(routes.now());
    } finally {
      lock.unlock();
    }
    return waiter.granted();
  }

  private void starve() {
    if (!starved) {
      starved = true;
      routes.addStarved(this);
    }
  }

  private void starveNoMore() {
    if (starved) {
      starved = false;
      routes.removeStarved(this);
    }
  }

  /**
   * Serves waiting calls as far as possible: with connections that have room, then with places for
   * new ones.
   *
   * @return the first of the calls that were served, linked to the others; to be woken without the
   *     lock
   */
  private @Nullable Waiter serve(long now) {
    Waiter firstServed = null;
    Waiter lastServed = null;
    while (!waiters.isEmpty()) {
      PooledConnection entry = lease(now);
      if (entry == null && mayGrow() && routes.tryTakePlace()) {
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

  /** As {@link #serve}; then arms the timer for the connections that are still idle. */
  private @Nullable Waiter passOn(long now) {
    Waiter firstServed = serve(now);
    keepTime(now);
    return firstServed;
  }

  /** Without the lock: wakes the calls that were served, and passes free places to other routes. */
  private void settle(@Nullable Waiter served) {
    Waiter next = served;
    while (next != null) {
      Waiter after = next.next; // Its thread may reuse the link once it runs.
      next.next = null;
      next.wake();
      next = after;
    }
    routes.relieve();
  }

  /**
   * Gives a place that the calling thread holds to the call that has waited longest; the route has
   * just left the queue of routes that wait for a place.
   *
   * @return false if no call needs it
   */
  boolean takePlace() {
    long now = routes.now();
    Waiter next;
    lock.lock();
    try {
      starved = false;
      next = mayGrow() ? waiters.poll() : null;
      if (next != null) {
        next.grant(reserve(), now);
        if (!waiters.isEmpty() && mayGrow()) {
          starve();
        }
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.wake();
    }
    return next != null;
  }

  // ---- calls of other routes

  /** Whether a connection that takes calls is open or being opened. */
  boolean hasConnections() {
    lock.lock();
    try {
      return connections.takeCalls();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The connections on which requests to another origin may be tried: none if one of them has
   * answered such a request with 421 (RFC 9110 §15.5.20).
   */
  List<PooledConnection> connectionsFor(Origin origin) {
    lock.lock();
    try {
      List<PooledConnection> all = connections.all();
      return all.stream().anyMatch(each -> each.misdirects(origin)) ? List.of() : all;
    } finally {
      lock.unlock();
    }
  }

  /** Leases a connection to a call of another route; false if that is not possible at once. */
  boolean lease(PooledConnection entry) {
    lock.lock();
    try {
      long now = routes.now();
      boolean leased = !routes.isShutDown()
          && waiters.isEmpty()
          && mayTakeCalls()
          && connections.lease(entry, now);
      if (leased) {
        load.arrived(now);
      }
      return leased;
    } finally {
      lock.unlock();
    }
  }

  /** A response body of this route became garbage before its end. */
  void countLeak() {
    routes.countLeak();
  }

  /** Requests for this origin must not use the connection. */
  void misdirected(PooledConnection entry, Origin origin) {
    lock.lock();
    try {
      entry.addMisdirected(origin);
    } finally {
      lock.unlock();
    }
  }

  // ---- connections, from being opened to being given up

  /** A connection is open: if it is shared, other calls may use it too. */
  void opened(PooledConnection entry, Connection connection) {
    Waiter served;
    lock.lock();
    try {
      long now = routes.now();
      connections.opened(entry, connection, now);
      served = serve(now);
    } finally {
      lock.unlock();
    }
    settle(served);
  }

  /**
   * Reserves the successor of a shared connection that will soon be too old.
   *
   * @param opener creates what opens it, without starting it
   * @return what opens it, to be started; null if no successor is needed or there is no place
   */
  @Nullable
  Renewal beginRenewal(
      PooledConnection aging, long now, Function<? super PooledConnection, Renewal> opener) {
    lock.lock();
    try {
      // The connection may have closed meanwhile, and its route been forgotten.
      boolean wanted = now >= aging.renewAt && !retired && !routes.isShutDown();
      if (!wanted || !waiters.isEmpty() || !mayGrow() || !routes.tryTakePlace()) {
        return null;
      }
      aging.renewAt = Deadline.NEVER_NANOS;
      renewal = opener.apply(reserve());
      return renewal;
    } finally {
      lock.unlock();
    }
  }

  /** A successor was opened, or could not be. */
  void endRenewal(Renewal ended) {
    lock.lock();
    try {
      if (renewal == ended) {
        renewal = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes back a connection from a call.
   *
   * @param since when the call got the connection, or {@link #NOT_USED}
   */
  void release(PooledConnection entry, boolean reusable, long since) {
    Connection connection = entry.connection;
    boolean keep = reusable && connection != null && connection.isOpen();
    long now = routes.now();
    Waiter served;
    boolean over = false;
    lock.lock();
    try {
      if (since != NOT_USED) {
        measure(since, now, keep);
      }
      keep = keep && !routes.isShutDown() && connections.mayServeOthers(entry, now);
      if (keep) {
        connections.giveBack(entry, now);
      } else {
        over = giveUp(entry);
      }
      served = passOn(now);
    } finally {
      lock.unlock();
    }
    settle(served);
    if (over) {
      entry.close();
    } else if (keep && connection != null && !connection.isOpen()) {
      // It closed after the check above, so its own notification may have come too early.
      if (entry.multiplexed) {
        capacityChanged(entry);
      } else {
        connectionClosed(entry);
      }
    }
  }

  /**
   * @param since when the call got the open connection
   * @param well whether the connection can be used again; calls that failed may have been fast
   */
  private void measure(long since, long now, boolean well) {
    load.ended(Math.max(0, now - since));
    if (adaptive != null && well) {
      adaptive.ended(since, now, connections.inFlight());
    }
  }

  /**
   * A call no longer uses a connection that no further call may use.
   *
   * @return whether the caller has to close it, because that was its last call
   */
  private boolean giveUp(PooledConnection entry) {
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

  /** Removes a connection, and the calls that still use it; frees its place. */
  private void free(PooledConnection entry) {
    connections.remove(entry);
    routes.freePlace();
  }

  /** The peer closed a reused connection before the request had arrived. */
  void foundDead(PooledConnection entry, long since) {
    List<PooledConnection> stale = List.of();
    lock.lock();
    try {
      long now = routes.now();
      // A shared connection may not have been idle before. A connection that is lost later than
      // this was alive when the request arrived.
      if (!entry.multiplexed && !routes.isShutDown() && now - since <= DEAD_WITHIN_NANOS) {
        stale = learnIdle(since - entry.idleSince, now);
      }
    } finally {
      lock.unlock();
    }
    stale.forEach(PooledConnection::close);
    settle(null);
  }

  /**
   * A connection has closed. If it was idle or shared, its place is freed; otherwise the release of
   * its lease does that.
   */
  void connectionClosed(PooledConnection entry) {
    Waiter served = null;
    List<PooledConnection> stale = List.of();
    lock.lock();
    try {
      boolean known = entry.multiplexed || entry.state == State.IDLE;
      if (known && entry.state != State.GONE) {
        long now = routes.now();
        boolean wasIdle = entry.state == State.IDLE;
        free(entry);
        if (wasIdle && !routes.isShutDown()) {
          stale = learnIdle(now - entry.idleSince, now);
        }
        served = passOn(now);
      }
    } finally {
      lock.unlock();
    }
    settle(served);
    stale.forEach(PooledConnection::close);
  }

  /** A shared connection takes more or fewer calls than before, or none. */
  void capacityChanged(PooledConnection entry) {
    change(entry, RouteConnections::refresh);
  }

  /** Lets no further call use a connection; false if that was so already. */
  boolean drain(PooledConnection entry) {
    return change(entry, RouteConnections::drain);
  }

  /** Changes how many calls may use an open connection; false if it took no more already. */
  private boolean change(
      PooledConnection entry, BiConsumer<RouteConnections, PooledConnection> change) {
    Waiter served;
    boolean over;
    lock.lock();
    try {
      if (entry.connection == null || entry.state == State.GONE || entry.state == State.DRAINING) {
        return false;
      }
      change.accept(connections, entry);
      over = entry.state == State.DRAINING && entry.leases == 0;
      if (over) {
        free(entry);
      }
      served = passOn(routes.now());
    } finally {
      lock.unlock();
    }
    settle(served);
    if (over) {
      entry.close();
    }
    return true;
  }

  // ---- idle connections

  /** From any thread, without the lock: see {@link RouteConnections#oldestIdleSince}. */
  long oldestIdleSince() {
    return connections.oldestIdleSince();
  }

  /**
   * Removes the connection that has been idle longest.
   *
   * @return the connection, whose place now belongs to the calling thread; null if none is idle
   */
  @Nullable
  PooledConnection evictOldestIdle() {
    long now = routes.now();
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

  /** Closes the connections that no call has used for this long; returns how many those were. */
  int closeIdle(long unusedNanos) {
    List<PooledConnection> unused;
    Waiter served;
    lock.lock();
    try {
      long now = routes.now();
      unused = freeIdle(now - unusedNanos);
      served = passOn(now);
    } finally {
      lock.unlock();
    }
    settle(served);
    unused.forEach(PooledConnection::close);
    return unused.size();
  }

  /** Frees the places of the connections that have been idle since then or longer. */
  private List<PooledConnection> freeIdle(long since) {
    List<PooledConnection> freed = new ArrayList<>();
    PooledConnection oldest = connections.oldestIdle();
    for (; oldest != null && oldest.idleSince <= since; oldest = connections.oldestIdle()) {
      free(oldest);
      freed.add(oldest);
    }
    return freed;
  }

  /** Frees the places of connections that were idle for too long; arms the timer for the others. */
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
   * @return connections that have been idle too long by the new limit, to be closed
   */
  private List<PooledConnection> learnIdle(long idleNanos, long now) {
    return connections.learnIdle(idleNanos, now) ? freeStale(now) : List.of();
  }

  // ---- timer

  /** On the loop: closes connections that have been idle too long, or forgets an unused route. */
  private void expire() {
    List<PooledConnection> expired = List.of();
    Waiter served;
    lock.lock();
    try {
      if (routes.isShutDown() || retired) {
        return;
      }
      long now = routes.now();
      timerArmedFor = Deadline.NEVER_NANOS;
      if (!isUnused()) {
        expired = freeStale(now);
        keepTime(now);
      } else if (now - unusedSince >= UNUSED_NANOS) {
        retire();
      } else {
        arm(unusedSince + UNUSED_NANOS);
      }
      served = serve(now);
    } finally {
      lock.unlock();
    }
    settle(served);
    expired.forEach(PooledConnection::close);
  }

  private boolean isUnused() {
    return connections.isEmpty() && waiters.isEmpty();
  }

  /** Arms the timer for the next expiry of an idle connection or of the route itself. */
  private void keepTime(long now) {
    if (retired || routes.isShutDown()) {
      return;
    }
    PooledConnection newest = connections.newestIdle();
    if (newest != null) {
      // The timer is armed already for those that became idle before.
      arm(connections.endOfIdle(newest, now));
    } else if (isUnused()) {
      if (routes.count() > 2 * limits.maxTotal()) {
        retire(); // Too many routes were used recently to remember them all.
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

  private void retire() {
    retired = true;
    routes.forget(this);
    timer.cancel();
  }

  // ---- shutdown

  /** The pool takes no more calls: waiting ones fail, and idle connections close. */
  void shutDown() {
    List<PooledConnection> idle;
    List<Waiter> dismissed = new ArrayList<>();
    Renewal renewing;
    lock.lock();
    try {
      renewing = renewal;
      timer.cancel();
      idle = freeIdle(Long.MAX_VALUE);
      for (Waiter next = waiters.poll(); next != null; next = waiters.poll()) {
        dismissed.add(next);
      }
      starveNoMore();
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : dismissed) {
      waiter.refuseBecauseClosed();
      waiter.wake();
    }
    idle.forEach(PooledConnection::close);
    if (renewing != null) {
      renewing.cancel();
    }
  }

  /** The connections that are open or being opened. */
  List<PooledConnection> connections() {
    lock.lock();
    try {
      return connections.all();
    } finally {
      lock.unlock();
    }
  }

  PoolSnapshot.RouteSnapshot snapshot(long now) {
    lock.lock();
    try {
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
    } finally {
      lock.unlock();
    }
  }
}
