package heddle.client.call;

import heddle.client.pool.ConnectionPool;
import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.RetryPolicy.Attempt;
import heddle.client.settings.RetryPolicy.Decision;
import heddle.client.settings.RetryPolicy.Repeat;
import heddle.client.spi.Route;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.failure.ClientClosedException;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.InsertionOrderedSet;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when the calls of a client send their requests again: what the policy decides, within
 * the budget of each route. Safe for use by many threads.
 */
final class Retries {
  /** Above this number of routes with buckets, full buckets are dropped. */
  private static final int MANY_BUCKETS = 1000;

  private static final int MAX_FREE = 5;

  private final RetryPolicy policy;
  private final RetryBudget budget;

  /**
   * Whether calls use the connections of other origins, whose servers may answer 421 (Misdirected
   * Request): then they are sent again whatever the policy says.
   */
  private final boolean misdirectedToo;

  private final ConnectionPool pool;
  private final EventLoop loop;
  private final Observers observers;
  private final Map<Route, RetryTokens> buckets = new ConcurrentHashMap<>();

  /** The threads that wait before they send a request again. */
  private final InsertionOrderedSet<Thread> pausing = new InsertionOrderedSet<>();

  private volatile boolean closed;

  Retries(
      CallOptions options,
      boolean misdirectedToo,
      ConnectionPool pool,
      EventLoop loop,
      Observers observers) {
    this.policy = options.retries;
    this.budget = options.budget;
    this.misdirectedToo = misdirectedToo;
    this.pool = pool;
    this.loop = loop;
    this.observers = observers;
  }

  /** Calls that wait before they send a request again fail, now and from now on. Idempotent. */
  void close() {
    closed = true;
    pausing.inOrder().forEach(LockSupport::unpark);
  }

  /** Whether a response with this status may be followed by another attempt. */
  boolean areConsideredAfter(Status status) {
    return (misdirectedToo && status.equals(Status.MISDIRECTED_REQUEST)) || isPolicyAsked(status);
  }

  private boolean isPolicyAsked(Status status) {
    try {
      return policy.isAskedAbout(status);
    } catch (RuntimeException | Error e) {
      observers.fault(policy, e);
      return false;
    }
  }

  /**
   * How long to wait before a request is sent again; null if it must not be.
   *
   * @param route whose budget it is
   */
  @Nullable
  Duration delay(Attempt attempt, Deadline deadline, Route route) {
    if (!(decide(attempt) instanceof Repeat(Duration delay))) {
      return null;
    }
    boolean inTime =
        deadline.isNever() || Deadline.boundedNanos(delay) < deadline.remainingNanos(loop.clock());
    return inTime && (isFree(attempt) || spend(route)) ? delay : null;
  }

  /**
   * Whether a retry does not count against the budget, because the request never left: a pooled
   * connection was dead, or took no more requests.
   */
  private static boolean isFree(Attempt attempt) {
    boolean deadBefore = attempt.lost() && attempt.connectionReused() && attempt.sent() == Sent.NO;
    return deadBefore || wasNotTaken(attempt);
  }

  /**
   * Whether a shared connection took no more requests when this one was about to be sent, after the
   * pool had chosen it: calls share it, and its server may have lowered its limit meanwhile. That
   * may happen a few times in a row.
   */
  private static boolean wasNotTaken(Attempt attempt) {
    return attempt.notProcessed()
        && !attempt.refused()
        && attempt.sent() == Sent.NO
        && attempt.refusals() <= MAX_FREE;
  }

  private Decision decide(Attempt attempt) {
    if (wasNotTaken(attempt)) {
      return Decision.repeat();
    }
    Status status = attempt.status();
    if (status != null && misdirectedToo && !isPolicyAsked(status)) {
      return Decision.stop();
    }
    try {
      return Objects.requireNonNull(policy.decide(attempt), "a retry policy must not return null");
    } catch (RuntimeException | Error e) {
      observers.fault(policy, e);
      return Decision.stop();
    }
  }

  /** Whether the route's budget allows one more retry or hedge; counts it if so. */
  boolean spend(Route route) {
    long now = loop.clock().nanoTime();
    if (buckets.size() > MANY_BUCKETS) {
      buckets.values().removeIf(bucket -> bucket.isFull(now));
    }
    double rate = pool.arrivalRate(route);
    return buckets.computeIfAbsent(route, each -> new RetryTokens(budget)).take(now, rate);
  }

  /**
   * Parks the calling thread for a time.
   *
   * @throws ClientClosedException when the client is closed meanwhile
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  void pause(Duration delay, Call call) throws IOException {
    Thread thread = Thread.currentThread();
    pausing.add(thread);
    try {
      Waiting.until(
          () -> closed, loop, Deadline.after(delay, loop.clock()), "waiting to send the request");
      throw new ClientClosedException(
          "the client was closed before the request was sent", call.point(), null);
    } catch (DeadlinePassedException e) {
      // The time is over.
    } finally {
      pausing.remove(thread);
    }
  }

  /**
   * The remaining {@link RetryBudget} of a route: a token bucket that fills with time and with
   * requests, up to what ten seconds add. Safe for use by many threads.
   */
  static final class RetryTokens {
    /** After this time without use a bucket is full, like a new one. */
    static final long WINDOW_NANOS = 10_000_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;

    private record Level(double tokens, long at) {}

    private final RetryBudget budget;
    private final AtomicReference<@Nullable Level> level = new AtomicReference<>();

    RetryTokens(RetryBudget budget) {
      this.budget = budget;
    }

    /**
     * Takes a token, if there is one.
     *
     * @param now in nanoseconds
     * @param requestsPerSecond how many requests the route gets
     */
    boolean take(long now, double requestsPerSecond) {
      double perNano = (budget.perSecond() + budget.share() * requestsPerSecond) / NANOS_PER_SECOND;
      double most = perNano * WINDOW_NANOS;
      while (true) {
        Level before = level.get();
        double filled = before == null
            ? most
            : Math.min(most, before.tokens() + perNano * Math.max(0, now - before.at()));
        if (filled < 1) {
          return false;
        }
        if (level.compareAndSet(before, new Level(filled - 1, now))) {
          return true;
        }
      }
    }

    boolean isFull(long now) {
      Level last = level.get();
      return last == null || now - last.at() >= WINDOW_NANOS;
    }
  }
}
