package heddle.adapters.support.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many endpoints are leased at a time, in total and per route, and queues the requests
 * that wait: first come, first served among those whose route has room. Its public methods are
 * those of Apache's {@code ConnPoolControl}. Thread-safe; no thread holds the lock while it waits.
 *
 * @param <R> routes, with {@code equals}
 * @param <S> settings of clients
 */
public class Leases<R, S> {
  private final ReentrantLock lock = new ReentrantLock();
  private final ExchangeThreads threads = new ExchangeThreads();

  // All guarded by the lock.
  private final Map<R, Lane<R, S>> lanes = new HashMap<>();
  private final Map<R, Integer> routeLimits = new HashMap<>();
  private final OwnConnection.Shelf<R, S> shelf = new OwnConnection.Shelf<>();
  private int maxTotal;
  private int maxPerRoute;
  private int leased;
  private long tickets;
  private boolean closed;

  /** When the watch of waiting requests next looks at their limits; 0 if there is none. */
  private long looksAt;

  private final Condition looksEarlier = lock.newCondition();

  /** One route: its leases, its waiters, and its connections that were left open. */
  private static final class Lane<R, S> {
    final Deque<Leases<R, S>.Waiter> waiting = new ArrayDeque<>();
    final Deque<Warm<S>> warm = new ArrayDeque<>();
    int leased;

    /** The route's own limit; 0 if it has none. */
    int limit;

    boolean isUnused() {
      return leased == 0 && waiting.isEmpty() && warm.isEmpty();
    }
  }

  /**
   * @param maxTotal at least 1
   * @param maxPerRoute at least 1
   */
  public Leases(int maxTotal, int maxPerRoute) {
    this.maxTotal = requirePositive(maxTotal, "maxTotal");
    this.maxPerRoute = requirePositive(maxPerRoute, "maxPerRoute");
  }

  private static int requirePositive(int limit, String name) {
    if (limit < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, but was " + limit);
    }
    return limit;
  }

  /**
   * How many leases are in use.
   *
   * @param leased leases granted and not released
   * @param pending requests that wait
   * @param available connections left open
   * @param max the limit of leases
   */
  public record Counts(int leased, int pending, int available, int max) {}

  /** A request for a lease, which was granted, is waiting, or was given up. */
  public final class Waiter {
    /** Owner of the connection; null for shared connections. */
    final @Nullable Object owner;

    private final R route;

    /** The lane of the route, which is in use until this is over. */
    private final Lane<R, S> lane;

    private final long ticket;

    // Guarded by the lock.
    private @Nullable Condition news; // made when it must wait
    private boolean granted;
    private boolean taken;
    private boolean over;
    private @Nullable Warm<S> warm;

    /** What runs on a new thread when this is granted or over; null for none. */
    private @Nullable Runnable then;

    /** The time limit of a request in the background; 0 for none. */
    private long limitNanos;

    private long endsAt;
    private @Nullable TimeoutException late;

    private Waiter(R route, Lane<R, S> lane, @Nullable Object owner, long ticket) {
      this.route = route;
      this.lane = lane;
      this.owner = owner;
      this.ticket = ticket;
    }

    /**
     * Waits for the lease.
     *
     * @param nanos the time limit; 0 for none
     * @return the connection that was left open; null if one must be opened
     * @throws TimeoutException if the time is over; the request is given up
     * @throws CancellationException if the request was cancelled
     * @throws IllegalStateException if the manager was closed
     */
    public @Nullable Warm<S> await(long nanos) throws InterruptedException, TimeoutException {
      lock.lockInterruptibly();
      try {
        long left = nanos;
        while (!granted && !over) {
          Condition told = news == null ? lock.newCondition() : news;
          news = told;
          if (nanos == 0) {
            told.await();
          } else if (left <= 0) {
            giveUpLate(nanos);
          } else {
            left = told.awaitNanos(left);
          }
        }
        if (over) {
          if (late != null) {
            throw late;
          }
          if (closed) {
            throw new IllegalStateException("Connection pool shut down");
          }
          throw new CancellationException("Request aborted");
        }
        taken = true;
        return warm;
      } finally {
        lock.unlock();
      }
    }

    /**
     * Runs the work on a virtual thread when {@link #await} no longer waits. Until then no thread
     * does. Called once.
     *
     * @param nanos the time limit; 0 for none
     */
    public void whenOver(long nanos, Runnable work) {
      lock.lock();
      try {
        then = work;
        if (granted || over) {
          changed();
        } else if (nanos > 0) {
          limitNanos = nanos;
          endsAt = System.nanoTime() + nanos;
          watch(endsAt);
        }
      } finally {
        lock.unlock();
      }
    }

    /**
     * Runs an exchange on a virtual thread. If it begins within another exchange, or within the
     * work of {@link #whenOver}, it may run on the same thread afterwards.
     *
     * @param name for a new thread
     */
    void start(String name, Runnable exchange) {
      threads.start(name, exchange);
    }

    private void changed() {
      if (news != null) {
        news.signalAll();
      }
      Runnable work = then;
      if (work != null) {
        then = null;
        threads.start("heddle-lease", work);
      }
    }

    private void giveUpLate(long nanos) {
      late = new TimeoutException(refusal(nanos));
      giveUp();
    }

    private String refusal(long nanos) {
      return "no connection for %s within %d ms: %d of %d for this route are leased, %d of %d in"
              .formatted(
                  route,
                  TimeUnit.NANOSECONDS.toMillis(nanos),
                  lane.leased,
                  limit(lane),
                  leased,
                  maxTotal)
          + " all, and " + lane.waiting.size() + " requests wait; raise setMaxPerRoute or"
          + " setMaxTotal";
    }

    /** The connection left open for another owner; null if there is none. */
    @Nullable
    Warm<S> takeLeft(Object other) {
      return locked(() -> shelf.take(route, other));
    }

    /** Whether the lease was granted. */
    public boolean isGranted() {
      return locked(() -> granted);
    }

    /** Gives up waiting, or releases a lease that was granted but not taken. Idempotent. */
    public boolean cancel() {
      return locked(this::giveUp);
    }

    private boolean giveUp() {
      if (over || taken) {
        return false;
      }
      over = true;
      if (granted) {
        free(this, warm);
      } else {
        lane.waiting.remove(this);
        forgetIfUnused(route, lane);
      }
      changed();
      return true;
    }

    /** Releases the lease. Idempotent. */
    public void release(@Nullable Warm<S> left) {
      lock.lock();
      try {
        if (!over) {
          over = true;
          free(this, left);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Requests a lease.
   *
   * @param owner owner of the connection; null for shared connections
   * @throws IllegalStateException if the manager is closed
   */
  protected final Waiter enqueue(R route, @Nullable Object owner) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("Connection pool shut down");
      }
      Lane<R, S> lane = lanes.get(route);
      if (lane == null) {
        lane = lane(route);
        lanes.put(route, lane);
      }
      Waiter waiter = new Waiter(route, lane, owner, tickets++);
      // Waiters have no room on their route; threads that make room grant it to them.
      if (hasRoom(lane)) {
        grant(waiter);
      } else {
        lane.waiting.add(waiter);
      }
      return waiter;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ensures that a thread fails background requests when their time limit passes. The thread waits
   * until then even if the requests are served earlier. Most are served quickly, so starting a
   * thread for each would cost more.
   */
  private void watch(long endsAt) {
    if (looksAt == 0) {
      looksAt = endsAt;
      Thread.ofVirtual().name("heddle-lease-watch").start(this::watchLimits);
    } else if (endsAt - looksAt < 0) {
      looksAt = endsAt;
      looksEarlier.signal();
    }
  }

  private void watchLimits() {
    lock.lock();
    try {
      while (looksAt != 0) {
        long now = System.nanoTime();
        if (looksAt - now > 0) {
          var ignored = looksEarlier.awaitNanos(looksAt - now);
        } else {
          looksAt = giveUpOverdue(now);
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError("nothing interrupts this thread", e);
    } finally {
      lock.unlock();
    }
  }

  /** Fails overdue requests. Returns the next request's time limit, or 0 if there is none. */
  private long giveUpOverdue(long now) {
    long next = 0;
    List<Waiter> limited = lanes.values().stream()
        .flatMap(lane -> lane.waiting.stream())
        .filter(waiter -> waiter.limitNanos > 0)
        .toList();
    for (Waiter each : limited) {
      if (each.endsAt - now <= 0) {
        each.giveUpLate(each.limitNanos);
      } else if (next == 0 || each.endsAt - next < 0) {
        next = each.endsAt;
      }
    }
    return next;
  }

  /** The lane of a route, or an empty one that is not kept. */
  private Lane<R, S> lane(R route) {
    Lane<R, S> lane = lanes.get(route);
    if (lane == null) {
      lane = new Lane<>();
      lane.limit = routeLimits.getOrDefault(route, 0);
    }
    return lane;
  }

  private int limit(Lane<R, S> lane) {
    return lane.limit > 0 ? lane.limit : maxPerRoute;
  }

  private boolean hasRoom(Lane<R, S> lane) {
    return leased < maxTotal && lane.leased < limit(lane);
  }

  private void grant(Waiter waiter) {
    Lane<R, S> lane = waiter.lane;
    leased++;
    lane.leased++;
    waiter.granted = true;
    long now = System.nanoTime();
    Predicate<Warm<S>> ended = each -> each.endsAt() - now <= 0;
    lane.warm.removeIf(ended);
    shelf.closeIf(ended);
    waiter.warm =
        waiter.owner == null ? lane.warm.pollLast() : shelf.take(waiter.route, waiter.owner);
    shrinkShelf(waiter.route, lane);
    waiter.changed();
  }

  private void free(Waiter waiter, @Nullable Warm<S> left) {
    R route = waiter.route;
    Lane<R, S> lane = waiter.lane;
    leased--;
    lane.leased--;
    if (left != null && left.own() != null) {
      shelf.add(route, left, left.own());
      shrinkShelf(route, lane);
    } else if (left != null && !closed) {
      lane.warm.add(left);
    }
    if (!lane.waiting.isEmpty() && hasRoom(lane)) {
      serve();
    } else if (leased == maxTotal - 1) {
      // Waiters of other routes may have waited for room in the total.
      serve();
    }
    forgetIfUnused(route, lane);
  }

  /** Closes connections that wait for their owner, the oldest first, to make room for leases. */
  private void shrinkShelf(R route, Lane<R, S> lane) {
    shelf.shrink(closed ? 0 : maxTotal - leased, route, limit(lane) - lane.leased);
  }

  private void forgetIfUnused(R route, Lane<R, S> lane) {
    if (lane.isUnused()) {
      lanes.remove(route);
    }
  }

  /** Grants leases to the longest waiting requests while there is room for any of them. */
  private void serve() {
    for (Waiter next = next(); next != null; next = next()) {
      next.lane.waiting.remove(next);
      grant(next);
    }
  }

  private @Nullable Waiter next() {
    Waiter oldest = null;
    for (Lane<R, S> lane : lanes.values()) {
      Waiter first = lane.waiting.peek();
      boolean served = first != null && hasRoom(lane);
      if (served && (oldest == null || first.ticket < oldest.ticket)) {
        oldest = first;
      }
    }
    return oldest;
  }

  // ---- limits

  /** The limit in total. */
  public int getMaxTotal() {
    return locked(() -> maxTotal);
  }

  /** Sets the limit in total, at least 1. */
  public void setMaxTotal(int limit) {
    requirePositive(limit, "maxTotal");
    change(() -> maxTotal = limit);
  }

  /** The limit of routes without their own. */
  public int getDefaultMaxPerRoute() {
    return locked(() -> maxPerRoute);
  }

  /** Sets the limit of routes without their own, at least 1. */
  public void setDefaultMaxPerRoute(int limit) {
    requirePositive(limit, "defaultMaxPerRoute");
    change(() -> maxPerRoute = limit);
  }

  /** The limit of one route. */
  public int getMaxPerRoute(R route) {
    return locked(() -> limit(lane(route)));
  }

  /** Sets the limit of one route. A limit of 0 or less removes it, as in Apache's pools. */
  public void setMaxPerRoute(R route, int limit) {
    change(() -> {
      if (limit > 0) {
        routeLimits.put(route, limit);
      } else {
        routeLimits.remove(route);
      }
      lane(route).limit = Math.max(0, limit);
    });
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      serve();
    } finally {
      lock.unlock();
    }
  }

  // ---- state

  /** Routes with leases, waiting requests, or connections left open. */
  public Set<R> getRoutes() {
    return locked(() -> {
      Set<R> all = new HashSet<>(lanes.keySet());
      shelf.addRoutesTo(all);
      return all;
    });
  }

  /** All leases. */
  protected final Counts stats() {
    return locked(() -> {
      int pending = 0;
      int available = shelf.count();
      for (Lane<R, S> lane : lanes.values()) {
        pending += lane.waiting.size();
        available += lane.warm.size();
      }
      return new Counts(leased, pending, available, maxTotal);
    });
  }

  /** The leases of one route. */
  protected final Counts stats(R route) {
    return locked(() -> {
      Lane<R, S> lane = lane(route);
      int available = lane.warm.size() + shelf.count(route);
      return new Counts(lane.leased, lane.waiting.size(), available, limit(lane));
    });
  }

  /** Forgets connections that were left open before the first time, or ended before the second. */
  final void forgetWarm(long sinceBefore, long endedBefore) {
    Predicate<Warm<S>> which =
        each -> each.since() - sinceBefore <= 0 || each.endsAt() - endedBefore <= 0;
    change(() -> {
      lanes.values().forEach(lane -> lane.warm.removeIf(which));
      shelf.closeIf(which);
      lanes.values().removeIf(Lane::isUnused);
    });
  }

  /** Refuses further leases and fails waiting requests. Idempotent. */
  final void closeLeases() {
    lock.lock();
    try {
      closed = true;
      shelf.closeIf(each -> true);
      for (Lane<R, S> lane : lanes.values()) {
        for (Waiter waiter : lane.waiting) {
          waiter.over = true;
          waiter.changed();
        }
        lane.waiting.clear();
        lane.warm.clear();
      }
      lanes.values().removeIf(Lane::isUnused);
      looksAt = 0;
      looksEarlier.signal();
    } finally {
      lock.unlock();
    }
  }
}
