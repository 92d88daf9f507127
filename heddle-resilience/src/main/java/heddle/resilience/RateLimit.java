package heddle.resilience;

import heddle.client.spi.Interceptor;
import heddle.http.HeaderName;
import heddle.http.HttpDate;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many calls a client makes in a time, for each origin or for all together. A call that
 * comes too early waits, first come, first served; one that could not be made before its deadline
 * fails at once with a {@link RateLimitedException}. Thread-safe.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder()
 *     .interceptor(RateLimit.of(100, Duration.ofSeconds(1)))
 *     .build();
 * }</pre>
 *
 * <p>The limit counts what comes to it: one for each call, and one for each hedge if {@link
 * Hedging} was added before. What happens below it, such as redirects and retries, is not counted.
 *
 * <p>One limit may serve several clients that have the same clock.
 */
public final class RateLimit implements Interceptor {
  /** No call waits longer, so that reservations fit a long. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final String description;
  private final long interval;
  private final int burst;
  private final boolean shared;
  private final int maxWaiting;
  private final int maxOrigins;
  private final long maxPauseNanos;
  private final InstantSource wallClock;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock. */
  private final Map<Origin, TokenBucket> buckets = new HashMap<>();

  /** Guarded by lock: for the whole client, or for the origins that have no other. */
  private @Nullable TokenBucket common;

  private RateLimit(Builder settings) {
    description = "%d per %s".formatted(settings.calls, settings.per);
    interval = Deadline.boundedNanos(settings.per) / settings.calls;
    burst = settings.burst;
    shared = settings.shared;
    maxWaiting = settings.maxWaiting;
    maxOrigins = settings.maxOrigins;
    maxPauseNanos = Deadline.boundedNanos(settings.maxPause);
    wallClock = settings.wallClock;
  }

  /**
   * A limit for each origin, with the defaults.
   *
   * @throws IllegalArgumentException as {@link #builder} does
   */
  public static RateLimit of(int calls, Duration per) {
    return builder(calls, per).build();
  }

  /**
   * For other settings.
   *
   * @param calls at least 1
   * @param per the time in which that many calls may be made; at most a day, and at least a
   *     microsecond for each of them
   * @throws IllegalArgumentException if one is out of its range
   */
  public static Builder builder(int calls, Duration per) {
    return new Builder(calls, per);
  }

  /** Collects settings. Not safe for use by several threads. */
  public static final class Builder {
    private final int calls;
    private final Duration per;
    private int burst = 1;
    private boolean shared;
    private int maxWaiting = 1_000;
    private int maxOrigins = 1_000;
    private Duration maxPause = Duration.ZERO;
    private InstantSource wallClock = InstantSource.system();

    private Builder(int calls, Duration per) {
      requireAtLeast("calls", calls, 1);
      boolean inRange =
          per.isPositive() && per.compareTo(LONGEST) <= 0 && per.toNanos() / calls >= 1_000;
      if (!inRange) {
        throw new IllegalArgumentException(
            "the time for %d calls must be at most a day, and at".formatted(calls)
                + " least a microsecond for each, but was " + per);
      }
      this.calls = calls;
      this.per = per;
    }

    /**
     * How many calls may be made at once after a time without calls; 1 by default, so that calls
     * are spread evenly. With a burst as large as the limit, up to twice the limit may be made in
     * one period.
     *
     * @param calls 1 to 10,000
     * @throws IllegalArgumentException if it is out of this range
     */
    public Builder burst(int calls) {
      if (calls < 1 || calls > 10_000) {
        throw new IllegalArgumentException("burst must be 1 to 10,000, but was " + calls);
      }
      burst = calls;
      return this;
    }

    /** One limit for all origins together; by default each origin has its limit. */
    public Builder forAllOrigins() {
      shared = true;
      return this;
    }

    /**
     * How many calls may wait, of each origin if the limit is for each; 1,000 by default. Further
     * calls fail at once; with 0, no call waits.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxWaiting(int callers) {
      requireAtLeast("maxWaiting", callers, 0);
      maxWaiting = callers;
      return this;
    }

    /**
     * How many origins may have a limit at the same time; 1,000 by default. Those beyond have one
     * together.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxOrigins(int origins) {
      requireAtLeast("maxOrigins", origins, 1);
      maxOrigins = origins;
      return this;
    }

    /**
     * Pauses calls after a response with 429 (Too Many Requests) or 503 (Service Unavailable), for
     * the time in its Retry-After field. Calls that are waiting are delayed by the same time. By
     * default the field is ignored.
     *
     * @param most the longest pause, whatever the server asks; at most a day, zero for none
     * @throws IllegalArgumentException if it is negative or longer
     */
    public Builder pauseOnRetryAfter(Duration most) {
      if (most.isNegative() || most.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "the longest pause must be from zero to a day, but was " + most);
      }
      maxPause = most;
      return this;
    }

    /** The clock for a Retry-After that names a date; the system's by default. */
    public Builder wallClock(InstantSource source) {
      wallClock = source;
      return this;
    }

    private static void requireAtLeast(String name, int value, int least) {
      if (value < least) {
        throw new IllegalArgumentException(
            "%s must be at least %d, but was %d".formatted(name, least, value));
      }
    }

    /** The limit. */
    public RateLimit build() {
      return new RateLimit(this);
    }
  }

  /**
   * Makes the call when the limit allows it.
   *
   * @throws RateLimitedException if it does not before the call's deadline, or too many calls wait
   */
  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    admit(request, chain);
    Response response = chain.proceed(request);
    if (maxPauseNanos > 0) {
      pauseAfter(request.origin(), response, chain);
    }
    return response;
  }

  private void admit(Request request, Chain chain) throws IOException {
    TokenBucket bucket;
    long reserved;
    long wait;
    lock.lock();
    try {
      long now = chain.clock().nanoTime();
      bucket = bucket(request.origin(), now);
      wait = bucket.waitNanos(now);
      if (wait > 0) {
        requireTime(wait, chain);
        if (bucket.waiting() >= maxWaiting) {
          throw refused("%d calls wait already".formatted(bucket.waiting()), wait, chain);
        }
        bucket.addWaiting(1);
      }
      reserved = bucket.reserve(now);
    } finally {
      lock.unlock();
    }
    if (wait > 0) {
      await(bucket, reserved, wait, chain);
    }
  }

  /** Waits until the reservation may be used, which a pause may put off meanwhile. */
  private void await(TokenBucket bucket, long reserved, long first, Chain chain)
      throws IOException {
    boolean used = false;
    try {
      long wait = first;
      while (wait > 0) {
        requireTime(wait, chain);
        chain.pause(Duration.ofNanos(wait));
        lock.lock();
        try {
          wait = bucket.waitNanos(reserved, chain.clock().nanoTime());
        } finally {
          lock.unlock();
        }
      }
      used = true;
    } finally {
      lock.lock();
      try {
        bucket.addWaiting(-1);
        if (!used) {
          bucket.giveBack(reserved);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void requireTime(long wait, Chain chain) throws RateLimitedException {
    long left = Math.min(LONGEST.toNanos(), chain.deadline().remainingNanos(chain.clock()));
    if (wait > left) {
      throw refused("it can wait for %s at most".formatted(Duration.ofNanos(left)), wait, chain);
    }
  }

  private RateLimitedException refused(String why, long wait, Chain chain) {
    Duration after = Duration.ofNanos(wait);
    return new RateLimitedException(
        "the rate limit (%s) allows the call in %s, but %s".formatted(description, after, why),
        after,
        chain.point());
  }

  /** The lock is held. */
  private TokenBucket bucket(Origin origin, long now) {
    if (shared) {
      return commonBucket(now);
    }
    TokenBucket own = buckets.get(origin);
    if (own == null && hasRoom(now)) {
      own = new TokenBucket(interval, burst, now);
      buckets.put(origin, own);
    }
    return own == null ? commonBucket(now) : own;
  }

  /** Whether one more origin may have a limit. The lock is held. */
  private boolean hasRoom(long now) {
    if (buckets.size() >= maxOrigins) {
      buckets.values().removeIf(each -> each.isFull(now));
    }
    return buckets.size() < maxOrigins;
  }

  /** The lock is held. */
  private TokenBucket commonBucket(long now) {
    if (common == null) {
      common = new TokenBucket(interval, burst, now);
    }
    return common;
  }

  private void pauseAfter(Origin origin, Response response, Chain chain) {
    int status = response.status().code();
    String field =
        status == 429 || status == 503 ? response.headers().first(HeaderName.RETRY_AFTER) : null;
    Duration delay = field == null ? null : HttpDate.retryAfter(field, wallClock.instant());
    if (delay == null) {
      return;
    }
    long nanos = Math.min(maxPauseNanos, Deadline.boundedNanos(delay));
    lock.lock();
    try {
      long now = chain.clock().nanoTime();
      bucket(origin, now).pauseUntil(now + nanos, now);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return description + (shared ? "" : " for each origin");
  }
}
