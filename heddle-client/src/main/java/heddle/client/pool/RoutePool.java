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
import java.util.function.LongFunction;
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

  /** How long opening the successor of a shared connection may take. */
  private static final Duration RENEWAL = Duration.ofSeconds(10);

  final Route route;
  final Routes routes;
  private final PoolLimits limits;
  private final Timer timer;
  private final ReentrantLock lock = new ReentrantLock();

  // The following fields are guarded by the lock, except that any thread may call
  // connections.oldestIdleSince.

  final RouteConnections connections;
  private final IntrusiveList<Waiter> waiters = new IntrusiveList<>();
  private final RouteLoad load;
  private final @Nullable AdaptiveLimit adaptive;

  /** Whether the pool has forgotten the route: callers look it up again. */
  private boolean retired;

  /** Whether the route is in the queue of routes that wait for a place. */
  private boolean starved;

  /** The thread that opens the successor of a connection; null if none is being opened. */
  private @Nullable Renewal renewal;

  private long timerArmedFor = Deadline.NEVER_NANOS;

  /** When the route became unused; {@link Deadline#NEVER_NANOS} while it is used. */
  private long unusedSince = Deadline.NEVER_NANOS;

  RoutePool(Route route, Routes routes) {
    this.route = route;
    this.routes = routes;
    this.limits = routes.limits;
    this.connections = new RouteConnections(route, limits);
    this.load = new RouteLoad(routes.now());
    PoolLimits.Adaptive bounds = limits.adaptive();
    this.adaptive = bounds == null ? null : new AdaptiveLimit(bounds);
    this.timer = routes.loop.newTimer(this::expire);
  }

  // ---- calls that arrive, and those that wait

  /**
   * Admits a call. If it is queued, the calling thread is the one that is woken.
   *
   * @param anew whether the call must not get a connection that was idle; without an effect if
   *     calls share connections
   */
  Admission admit(boolean anew, long now) {
    Admission admission = admit(true, false, anew, now);
    return admission == Admission.Denied.NO_PLACE ? admitByEviction(anew, now) : admission;
  }

  /** All places are taken: an idle connection of any route is evicted, or the call waits. */
  private Admission admitByEviction(boolean anew, long now) {
    PooledConnection evicted = routes.evictForNewcomer();
    boolean placeInHand = evicted != null;
    if (evicted != null) {
      evicted.close();
    }
    boolean placeUsed = false;
    try {
      Admission admission = admit(false, placeInHand, anew, now);
      placeUsed = admission instanceof PooledConnection entry && entry.takesPlace();
      return admission;
    } finally {
      if (placeInHand && !placeUsed) {
        routes.freePlace();
      }
      routes.relieve();
    }
  }

  /**
   * @param first whether the call gets {@code NO_PLACE} if it needs a place and all are taken; it
   *     is queued otherwise
   * @param placeInHand whether the calling thread has a place; it is used if the connection that is
   *     returned {@linkplain PooledConnection#takesPlace takes one}
   */
  private Admission admit(boolean first, boolean placeInHand, boolean anew, long now) {
    lock.lock();
    try {
      if (retired || routes.isShutDown()) {
        return retired ? Admission.Denied.RETIRED : Admission.Denied.SHUT_DOWN;
      }
      if (first) {
        load.arrived(now);
      }
      PooledConnection entry = waiters.isEmpty() ? lease(anew, now) : null;
      if (entry == null && waiters.isEmpty() && mayGrow()) {
        if (placeInHand) {
          entry = reserve();
        } else if (first) {
          entry = reserveInNewPlace();
          if (entry == null) {
            return Admission.Denied.NO_PLACE;
          }
        }
      }
      return entry == null ? enqueue(anew, now) : entry;
    } finally {
      lock.unlock();
    }
  }

  /** Queues the calling thread, unless the queue is full. */
  private Admission enqueue(boolean anew, long now) {
    unusedSince = Deadline.NEVER_NANOS;
    if (waiters.size() >= limits.maxQueuedPerRoute()) {
      keepTime(now);
      return Admission.Denied.QUEUE_FULL;
    }
    Waiter waiter = new Waiter(anew);
    waiters.add(waiter);
    updateStarved();
    return waiter;
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

  private @Nullable PooledConnection lease(boolean anew, long now) {
    if (!mayTakeCalls()) {
      return null;
    }
    return anew && !connections.areShared() ? replaceOldestIdle() : connections.lease(now);
  }

  /** A new entry in the place of the connection that was idle longest; null if none is idle. */
  private @Nullable PooledConnection replaceOldestIdle() {
    PooledConnection oldest = connections.idle.first();
    if (oldest == null) {
      return null;
    }
    PooledConnection entry = reserve(); // May run out of memory, so before anything is removed.
    connections.remove(oldest);
    entry.replaced = oldest;
    return entry;
  }

  /** A new entry for a connection that will be opened; its place has been taken already. */
  private PooledConnection reserve() {
    PooledConnection entry = new PooledConnection(this);
    connections.add(entry);
    unusedSince = Deadline.NEVER_NANOS;
    return entry;
  }

  /** Takes a place and reserves an entry in it; null if all places are taken. */
  private @Nullable PooledConnection reserveInNewPlace() {
    if (!routes.tryTakePlace()) {
      return null;
    }
    PooledConnection entry = null;
    try {
      entry = reserve();
      return entry;
    } finally {
      if (entry == null) { // Out of memory.
        routes.freePlace();
      }
    }
  }

  /** As {@link #reserveInNewPlace}, but returns null when memory runs out. */
  private @Nullable PooledConnection reserveIfMemory() {
    try {
      return reserveInNewPlace();
    } catch (OutOfMemoryError e) {
      // The calls already served must be woken; the others wait for the next release.
      return null;
    }
  }

  /**
   * Removes a call from the queue; returns the connection that it was granted at the last moment.
   */
  @Nullable
  PooledConnection leave(Waiter waiter) {
    lock.lock();
    try {
      waiters.remove(waiter);
      updateStarved();
      keepTime(routes.now());
    } finally {
      lock.unlock();
    }
    return waiter.granted();
  }

  /** Queues the route for a place as long as a waiting call could use one. */
  private void updateStarved() {
    boolean before = starved;
    starved = !waiters.isEmpty() && mayGrow();
    if (starved && !before) {
      routes.starved.add(this);
    } else if (before && !starved) {
      routes.starved.remove(this);
    }
  }

  /**
   * Serves waiting calls as far as possible: with connections that have room, then with places for
   * new ones. Arms the timer for the connections that are still idle.
   *
   * @return the first of the calls that were served, linked to the others; to be woken without the
   *     lock
   */
  private @Nullable Waiter serve(long now) {
    Waiter firstServed = null;
    Waiter lastServed = null;
    for (Waiter next = waiters.first(); next != null; next = waiters.first()) {
      PooledConnection entry = lease(next.anew, now);
      if (entry == null && mayGrow()) {
        entry = reserveIfMemory();
      }
      if (entry == null) {
        break;
      }
      waiters.remove(next);
      next.grant(entry, now);
      if (lastServed == null) {
        firstServed = next;
      } else {
        lastServed.next = next;
      }
      lastServed = next;
    }
    updateStarved();
    keepTime(now);
    return firstServed;
  }

  /**
   * Changes the state of connections, then serves waiting calls.
   *
   * @param change gets the time; returns the connections that it has given up, to be closed
   * @return those connections
   */
  private List<PooledConnection> change(LongFunction<List<PooledConnection>> change) {
    List<PooledConnection> givenUp;
    Waiter served;
    lock.lock();
    try {
      long now = routes.now();
      givenUp = change.apply(now);
      served = serve(now);
    } finally {
      lock.unlock();
    }
    settle(served);
    givenUp.forEach(PooledConnection::close);
    return givenUp;
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
      try {
        next = mayGrow() ? waiters.first() : null;
        if (next != null) {
          PooledConnection entry = reserve();
          waiters.remove(next);
          next.grant(entry, now);
        }
      } finally {
        updateStarved();
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
      return connections.counted() > 0;
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

  /** While a connection is being opened: calls that wait for it may open their own. */
  void expectHttp11() {
    change(now -> {
      connections.expectHttp11(now);
      return List.of();
    });
  }

  /** The origin says that it speaks HTTP/2 too, for this time; not positive if no more. */
  void expectHttp2(long nanos) {
    lock.lock();
    try {
      long now = routes.now();
      connections.expectHttp2(now + nanos, now);
    } finally {
      lock.unlock();
    }
  }

  /** A connection is open: if it is shared, other calls may use it too. */
  void opened(PooledConnection entry, Connection connection) {
    change(now -> {
      connections.opened(entry, connection, now);
      return List.of();
    });
  }

  /**
   * Starts to open the successor of a shared connection that will soon be too old, while calls
   * still use that one: else the first call after its end would wait for a handshake. If the limits
   * have no place for both, a call that needs the successor opens it once the old one is too old.
   */
  void renew(PooledConnection aging, ConnectionPool pool, long now) {
    Renewal begun = null;
    PooledConnection successor = null;
    lock.lock();
    try {
      // The connection may have closed meanwhile, and its route been forgotten.
      boolean wanted = now >= aging.renewAt && !retired && !routes.isShutDown();
      successor = wanted && waiters.isEmpty() && mayGrow() ? reserveInNewPlace() : null;
      if (successor == null) {
        return;
      }
      aging.renewAt = Deadline.NEVER_NANOS;
      begun = new Renewal(pool, aging, successor, Deadline.after(RENEWAL, now));
      renewal = begun;
    } finally {
      if (successor != null && begun == null) { // Out of memory.
        free(successor);
      }
      lock.unlock();
    }
    begun.start();
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
        load.ended(Math.max(0, now - since));
        if (adaptive != null && keep) { // Calls that failed may have been fast.
          adaptive.ended(since, now, connections.inFlight());
        }
      }
      keep = keep && !routes.isShutDown() && connections.mayServeOthers(entry, now);
      if (keep) {
        connections.giveBack(entry, now);
      } else if (entry.leases > 1 && entry.state != State.GONE) {
        connections.giveUpOne(entry);
      } else if (entry.state != State.GONE) {
        free(entry);
        over = true;
      }
      served = serve(now);
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

  /** Removes a connection, and the calls that still use it; frees its place. */
  private void free(PooledConnection entry) {
    connections.remove(entry);
    routes.freePlace();
  }

  /** The peer closed a reused connection before the request had arrived. */
  void foundDead(PooledConnection entry, long since) {
    // A shared connection may not have been idle before. A connection that is lost later than this
    // was alive when the request arrived.
    change(now -> !entry.multiplexed && now - since <= DEAD_WITHIN_NANOS
        ? learnIdle(since - entry.idleSince, now)
        : List.of());
  }

  /**
   * A connection has closed. If it was idle or shared, its place is freed; otherwise the release of
   * its lease does that.
   */
  void connectionClosed(PooledConnection entry) {
    change(now -> {
      boolean wasIdle = entry.state == State.IDLE;
      if (wasIdle || (entry.multiplexed && entry.state != State.GONE)) {
        free(entry);
      }
      return wasIdle ? learnIdle(now - entry.idleSince, now) : List.of();
    });
  }

  /** A shared connection takes more or fewer calls than before, or none. */
  void capacityChanged(PooledConnection entry) {
    adjust(entry, RouteConnections::refresh);
  }

  /** Lets no further call use a connection; false if that was so already. */
  boolean drain(PooledConnection entry) {
    return adjust(entry, RouteConnections::drain);
  }

  /** Changes how many calls may use an open connection; false if it took no more already. */
  private boolean adjust(
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
      served = serve(routes.now());
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

  /** Removes the connection that has been idle longest; its place belongs to the calling thread. */
  @Nullable
  PooledConnection evictOldestIdle() {
    lock.lock();
    try {
      PooledConnection oldest = connections.idle.first();
      if (oldest != null) {
        connections.remove(oldest);
        keepTime(routes.now());
      }
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  /** Closes the connections that no call has used for this long; returns how many those were. */
  int closeIdle(long unusedNanos) {
    return change(now -> freeIdle(now - unusedNanos)).size();
  }

  /** Frees the places of the connections that have been idle since then or longer. */
  private List<PooledConnection> freeIdle(long since) {
    List<PooledConnection> freed = new ArrayList<>();
    PooledConnection oldest = connections.idle.first();
    for (; oldest != null && oldest.idleSince <= since; oldest = connections.idle.first()) {
      free(oldest);
      freed.add(oldest);
    }
    return freed;
  }

  /** Frees the places of connections that were idle for too long; arms the timer for the others. */
  private List<PooledConnection> freeStale(long now) {
    List<PooledConnection> freed = new ArrayList<>();
    PooledConnection entry = connections.idle.last();
    while (entry != null) {
      PooledConnection older = entry.previous;
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

  /** A connection was found closed; returns those that are idle too long by the new limit. */
  private List<PooledConnection> learnIdle(long idleNanos, long now) {
    boolean earlier = !routes.isShutDown() && connections.idleLimit.learn(idleNanos, now);
    return earlier ? freeStale(now) : List.of();
  }

  /** On the loop: closes connections that have been idle too long, or forgets an unused route. */
  private void expire() {
    change(now -> {
      timerArmedFor = Deadline.NEVER_NANOS;
      if (isUnused() && now - unusedSince >= UNUSED_NANOS && !retired && !routes.isShutDown()) {
        retire();
      }
      return freeStale(now);
    });
  }

  private boolean isUnused() {
    return connections.open() == 0 && waiters.isEmpty();
  }

  /** Arms the timer for the next expiry of an idle connection or of the route itself. */
  private void keepTime(long now) {
    if (retired || routes.isShutDown()) {
      return;
    }
    PooledConnection newest = connections.idle.last();
    if (newest != null) {
      // The timer is armed already for those that became idle before.
      arm(connections.endOfIdle(newest, now));
    } else if (isUnused()) {
      if (routes.byRoute.size() > 2 * limits.maxTotal()) {
        retire(); // Too many routes were used recently to remember them all.
      } else {
        unusedSince = Math.min(unusedSince, now);
        arm(unusedSince + UNUSED_NANOS);
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
    routes.byRoute.remove(route, this);
    timer.cancel();
  }

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
      updateStarved();
    } finally {
      lock.unlock();
    }
    dismissed.forEach(Waiter::dismiss);
    idle.forEach(PooledConnection::close);
    if (renewing != null) {
      renewing.cancel();
    }
  }

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
          connections.idle.size(),
          connections.draining(),
          waiters.size(),
          connections.inFlight(),
          inFlightLimit(),
          connections.areShared(),
          load.arrivalRate(now),
          load.meanTimeInUse(now),
          Duration.ofNanos(connections.idleLimit.nanos(now)));
    } finally {
      lock.unlock();
    }
  }
}
