package heddle.resilience;

import heddle.client.spi.Interceptor;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends a safe request again when its response is late, takes the first usable response, and
 * cancels the other attempt: the slowest calls become as fast as the others, for a few more
 * requests. Thread-safe.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder()
 *     .interceptor(Hedging.afterPercentile(95))
 *     .build();
 * }</pre>
 *
 * <p>A hedge counts against the client's {@linkplain heddle.client.settings.RetryBudget retry
 * budget}, so that a server which is slow to all gets few more requests. It ends by the deadline of
 * the call, and is a call to listeners ({@link heddle.client.spi.CallInfo#hedgeOf}). Requests whose
 * content can be sent only once are not hedged.
 *
 * <p>What stands below it, such as interceptors that are added later and redirects, runs for each
 * attempt, on a virtual thread that is not the caller's: add interceptors that use thread-locals
 * before it.
 */
public final class Hedging implements Interceptor {
  /** After a fixed time; null if that follows from latencies. */
  private final @Nullable Hedges fixed;

  private final double share;
  private final long leastNanos;
  private final int most;
  private final Predicate<? super Request> requests;
  private final Predicate<? super Response> usable;
  private final int maxOrigins;

  private final Map<Origin, Known> origins = new ConcurrentHashMap<>();

  /** What is known of an origin. */
  private static final class Known {
    final LatencyEstimate latency;

    /** Whether it was used since the last time that there were too many. */
    volatile boolean used = true;

    /** For the last estimate, so that a call makes none. */
    volatile @Nullable Hedges last;

    Known(LatencyEstimate latency) {
      this.latency = latency;
    }
  }

  private Hedging(Builder settings) {
    most = settings.most;
    requests = settings.requests;
    usable = settings.usable;
    Duration time = settings.fixed;
    fixed = time == null ? null : new Hedges(time, most, usable);
    share = settings.percentile / 100;
    leastNanos = Deadline.boundedNanos(settings.least);
    maxOrigins = settings.maxOrigins;
  }

  /**
   * Hedges when a call has taken longer than most of the origin's recent calls, with the defaults.
   *
   * @throws IllegalArgumentException as {@link Builder#afterPercentile} does
   */
  public static Hedging afterPercentile(double percentile) {
    return builder().afterPercentile(percentile).build();
  }

  /**
   * Hedges after a fixed time, with the defaults.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static Hedging after(Duration time) {
    return builder().after(time).build();
  }

  /** For other settings. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects settings. Not safe for use by several threads. */
  public static final class Builder {
    private @Nullable Duration fixed;
    private double percentile = 95;
    private Duration least = Duration.ofMillis(1);
    private int most = 1;
    private Predicate<? super Request> requests = request -> request.method().isSafe();
    private Predicate<? super Response> usable = response -> {
      int status = response.status().code();
      return status < 500 && status != 429;
    };
    private int maxOrigins = 1_000;

    private Builder() {}

    /**
     * Hedges when a call has taken longer than this percentage of the recent calls to its origin;
     * 95 by default. Before 32 calls to an origin are known, none of them is hedged.
     *
     * @param percentage above 0 and below 100
     * @throws IllegalArgumentException if it is out of this range
     */
    public Builder afterPercentile(double percentage) {
      if (!(percentage > 0 && percentage < 100)) {
        throw new IllegalArgumentException(
            "percentage must be above 0 and below 100, but was " + percentage);
      }
      percentile = percentage;
      fixed = null;
      return this;
    }

    /**
     * Hedges after a fixed time, whatever recent calls have taken.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder after(Duration time) {
      fixed = requireNotNegative("after", time);
      return this;
    }

    /**
     * No call is hedged earlier, however fast recent calls were; 1 ms by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder notBefore(Duration time) {
      least = requireNotNegative("notBefore", time);
      return this;
    }

    private static Duration requireNotNegative(String name, Duration time) {
      if (time.isNegative()) {
        throw new IllegalArgumentException(name + " must not be negative, but was " + time);
      }
      return time;
    }

    /**
     * How many hedges a call may have, each as long after the one before; 1 by default.
     *
     * @param hedges 1 to 10
     * @throws IllegalArgumentException if it is out of this range
     */
    public Builder most(int hedges) {
      if (hedges < 1 || hedges > 10) {
        throw new IllegalArgumentException("most must be 1 to 10, but was " + hedges);
      }
      most = hedges;
      return this;
    }

    /**
     * Which requests are hedged; by default those with a safe method (RFC 9110 section 9.2.1). A
     * server may process each attempt.
     */
    public Builder requests(Predicate<? super Request> which) {
      requests = which;
      return this;
    }

    /**
     * Which responses end the wait; by default those with a status below 500, other than 429. Any
     * other is returned only if no attempt that is under way brings a better one.
     */
    public Builder usable(Predicate<? super Response> which) {
      usable = which;
      return this;
    }

    /**
     * The maximum number of origins whose latencies are kept; 1,000 by default. Each takes 2 KB.
     * Origins that were not used recently are evicted.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxOrigins(int origins) {
      if (origins < 1) {
        throw new IllegalArgumentException("maxOrigins must be at least 1, but was " + origins);
      }
      maxOrigins = origins;
      return this;
    }

    /** The hedging. */
    public Hedging build() {
      return new Hedging(this);
    }
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    if (!request.body().isReplayable() || !requests.test(request)) {
      return chain.proceed(request);
    }
    if (fixed != null) {
      return chain.proceed(request, fixed);
    }
    Known known = known(request.origin());
    if (known == null) {
      return chain.proceed(request);
    }
    Hedges hedges = hedges(known);
    long start = chain.clock().nanoTime();
    Response response = hedges == null ? chain.proceed(request) : chain.proceed(request, hedges);
    if (usable.test(response)) {
      known.latency.record(chain.clock().nanoTime() - start);
    }
    return response;
  }

  private @Nullable Hedges hedges(Known known) {
    long nanos = known.latency.nanos();
    if (nanos < 0) {
      return null;
    }
    Hedges last = known.last;
    long after = Math.max(nanos, leastNanos);
    if (last == null || last.after().toNanos() != after) {
      last = new Hedges(Duration.ofNanos(after), most, usable);
      known.last = last;
    }
    return last;
  }

  /** Null if too many origins are in use. */
  private @Nullable Known known(Origin origin) {
    Known known = origins.get(origin);
    if (known == null) {
      if (origins.size() >= maxOrigins) {
        makeRoom();
      }
      if (origins.size() >= maxOrigins) {
        return null;
      }
      known = origins.computeIfAbsent(origin, each -> new Known(new LatencyEstimate(share)));
    }
    if (!known.used) {
      known.used = true;
    }
    return known;
  }

  private void makeRoom() {
    origins.values().removeIf(each -> {
      boolean unused = !each.used;
      each.used = false;
      return unused;
    });
  }

  /** How many origins have latencies. */
  int origins() {
    return origins.size();
  }
}
