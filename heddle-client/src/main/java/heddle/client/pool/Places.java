package heddle.client.pool;

import heddle.client.route.Route;
import heddle.transport.Deadline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bookkeeping of a pool: which places for connections are taken, who waits for one, and to whom
 * a free one goes. Every method is called under the pool's lock and none waits or does I/O.
 */
final class Places {
  private final ConnectionPool owner;
  private final PoolLimits limits;
  private final Map<Route, RoutePool> routes = new HashMap<>();

  /** The places taken, linked through the entries themselves: no node for each. */
  private @Nullable PooledConnection firstTaken;

  private int takenCount;

  /** Routes with calls in their queue, in the order in which they began to have some. */
  private final Set<RoutePool> waiting = new LinkedHashSet<>();

  Places(ConnectionPool owner, PoolLimits limits) {
    this.owner = owner;
    this.limits = limits;
  }

  RoutePool route(Route route) {
    RoutePool pool = routes.get(route);
    if (pool == null) {
      pool = new RoutePool(route, limits);
      routes.put(route, pool);
    }
    return pool;
  }

  boolean isEmpty() {
    return takenCount == 0;
  }

  boolean isTotalReached() {
    return takenCount >= limits.maxTotal();
  }

  /** A connection for a call that comes now, if there is one and nobody has waited longer. */
  @Nullable
  PooledConnection lease(RoutePool pool) {
    return pool.waiters.isEmpty() ? pool.lease() : null;
  }

  /** Whether a call that comes now may open a connection as far as its own route is concerned. */
  boolean mayOpen(RoutePool pool) {
    return pool.waiters.isEmpty() && pool.mayGrow();
  }

  /** A place for a connection that is about to be opened. */
  PooledConnection reserve(RoutePool pool) {
    PooledConnection entry = new PooledConnection(owner, pool);
    entry.nextTaken = firstTaken;
    if (firstTaken != null) {
      firstTaken.previousTaken = entry;
    }
    firstTaken = entry;
    takenCount++;
    pool.opening();
    return entry;
  }

  /** Frees the place of a connection that is given up. */
  void free(PooledConnection entry) {
    unlink(entry);
    entry.route.remove(entry);
    forgetIfUnused(entry.route);
  }

  private void unlink(PooledConnection entry) {
    PooledConnection next = entry.nextTaken;
    PooledConnection previous = entry.previousTaken;
    if (next != null) {
      next.previousTaken = previous;
    }
    if (previous != null) {
      previous.nextTaken = next;
    } else {
      firstTaken = next;
    }
    takenCount--;
  }

  /** Frees the place of the connection that has been idle longest, on whichever route. */
  @Nullable
  PooledConnection evictOldestIdle() {
    PooledConnection oldest = null;
    for (RoutePool pool : routes.values()) {
      PooledConnection candidate = pool.idle.oldest();
      if (candidate != null && (oldest == null || candidate.idleSince < oldest.idleSince)) {
        oldest = candidate;
      }
    }
    if (oldest != null) {
      free(oldest);
    }
    return oldest;
  }

  /** Puts the calling thread at the end of the queue; null when the queue is full. */
  @Nullable
  Waiter enqueue(RoutePool pool) {
    if (pool.waiters.size() >= limits.maxQueuedPerRoute()) {
      forgetIfUnused(pool);
      return null;
    }
    Waiter waiter = new Waiter();
    pool.waiters.add(waiter);
    waiting.add(pool);
    return waiter;
  }

  void leaveQueue(Route route, Waiter waiter) {
    RoutePool pool = routes.get(route);
    if (pool != null && pool.waiters.remove(waiter)) {
      if (pool.waiters.isEmpty()) {
        waiting.remove(pool);
      }
      forgetIfUnused(pool);
    }
  }

  /** The call that has waited longest on a route, taken out of its queue. */
  @Nullable
  Waiter pollWaiter(RoutePool pool) {
    Waiter next = pool.waiters.poll();
    if (next != null && pool.waiters.isEmpty()) {
      waiting.remove(pool);
    }
    return next;
  }

  /** Gives a free place to the route that has waited longest and may use it. */
  @Nullable
  Waiter grantPlace() {
    RoutePool pool = isTotalReached() ? null : firstThatMayGrow();
    Waiter next = pool == null ? null : pollWaiter(pool);
    if (pool != null && next != null) {
      next.grant(reserve(pool));
    }
    return next;
  }

  /**
   * Gives all that calls in a queue may have: first the room on the connections of one route, then
   * places for new ones.
   *
   * @param served who has been given something is added here, to be woken
   * @param evicted idle connections that had to go for it are added here, to be closed
   */
  void grantAll(RoutePool roomOf, List<Waiter> served, List<PooledConnection> evicted) {
    while (!roomOf.waiters.isEmpty()) {
      PooledConnection entry = roomOf.lease();
      Waiter next = entry == null ? null : pollWaiter(roomOf);
      if (entry == null || next == null) {
        break;
      }
      next.grant(entry);
      served.add(next);
    }
    while (firstThatMayGrow() != null) {
      PooledConnection idle = isTotalReached() ? evictOldestIdle() : null;
      if (idle != null) {
        evicted.add(idle);
      }
      Waiter next = grantPlace();
      if (next == null) {
        break;
      }
      served.add(next);
    }
  }

  /** Whether an idle connection has to go so that a call in a queue gets its place. */
  boolean needsEviction() {
    return isTotalReached() && firstThatMayGrow() != null;
  }

  private @Nullable RoutePool firstThatMayGrow() {
    if (waiting.isEmpty()) {
      return null; // as a rule: spares each call an iterator
    }
    for (RoutePool pool : waiting) {
      if (pool.mayGrow()) {
        return pool;
      }
    }
    return null;
  }

  private void forgetIfUnused(RoutePool pool) {
    if (pool.isUnused()) {
      routes.remove(pool.route, pool);
    }
  }

  /** Frees the places of all connections that became idle at {@code latest} or before. */
  List<PooledConnection> freeIdleSince(long latest) {
    List<PooledConnection> freed = new ArrayList<>();
    for (RoutePool pool : List.copyOf(routes.values())) {
      PooledConnection oldest = pool.idle.oldest();
      while (oldest != null && oldest.idleSince <= latest) {
        free(oldest);
        freed.add(oldest);
        oldest = pool.idle.oldest();
      }
    }
    return freed;
  }

  /** Since when the longest idle connection is idle; {@link Deadline#NEVER_NANOS} without one. */
  long oldestIdleSince() {
    long oldest = Deadline.NEVER_NANOS;
    for (RoutePool pool : routes.values()) {
      PooledConnection candidate = pool.idle.oldest();
      oldest = candidate == null ? oldest : Math.min(oldest, candidate.idleSince);
    }
    return oldest;
  }

  /** Empties all queues. */
  List<Waiter> dismissWaiters() {
    List<Waiter> dismissed = new ArrayList<>();
    for (RoutePool pool : List.copyOf(waiting)) {
      dismissed.addAll(pool.waiters);
      pool.waiters.clear();
      forgetIfUnused(pool);
    }
    waiting.clear();
    return dismissed;
  }

  List<PooledConnection> all() {
    List<PooledConnection> all = new ArrayList<>(takenCount);
    for (PooledConnection entry = firstTaken; entry != null; entry = entry.nextTaken) {
      all.add(entry);
    }
    return all;
  }

  PoolSnapshot snapshot() {
    List<PoolSnapshot.RouteSnapshot> all = new ArrayList<>();
    for (RoutePool pool : routes.values()) {
      all.add(pool.snapshot());
    }
    return new PoolSnapshot(takenCount, limits, all);
  }
}
