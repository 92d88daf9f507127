package heddle.client.settings;

import heddle.transport.Descriptors;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many connections there may be, how many calls use them at once, how many calls may wait, and
 * for how long. Blocking and asynchronous calls count alike.
 *
 * <pre>{@code
 * PoolLimits limits = PoolLimits.builder().maxPerRoute(200).maxQueuedPerRoute(5_000).build();
 * HttpClient client = HttpClient.builder().poolLimits(limits).build();
 * }</pre>
 *
 * @param maxPerRoute HTTP/1.1 connections open or being opened to one route; 1 to {@code maxTotal}
 * @param maxHttp2PerRoute connections open or being opened to one route that calls share (HTTP/2);
 *     1 to {@code maxTotal}. One is filled before the next is opened
 * @param maxStreamsPerConnection calls at once on one HTTP/2 connection, if its server allows that
 *     many; at least 1
 * @param maxInFlightPerRoute calls at once that use or open a connection to one route; at least 1
 * @param maxTotal connections open or being opened in all; at least 1
 * @param maxQueuedPerRoute calls that wait for a connection to one route; 0 lets none wait
 * @param acquireTimeout how long a call waits for a connection, within its own deadline; positive;
 *     null for as long as its deadline allows
 * @param idleTimeout how long a connection that no call uses is kept, unless its server closes such
 *     connections sooner; must be positive and at most {@code maxAge}
 * @param maxAge how long a connection takes new calls, so that moving hosts are followed; positive
 * @param ageJitter fraction of {@code maxAge} by which ages differ, so that connections opened
 *     together do not end together; 0 to 0.9
 * @param adaptive bounds of a limit of calls in flight that adapts to what the server copes with;
 *     null for {@code maxInFlightPerRoute} only
 */
public record PoolLimits(
    int maxPerRoute,
    int maxHttp2PerRoute,
    int maxStreamsPerConnection,
    int maxInFlightPerRoute,
    int maxTotal,
    int maxQueuedPerRoute,
    @Nullable Duration acquireTimeout,
    Duration idleTimeout,
    Duration maxAge,
    double ageJitter,
    @Nullable Adaptive adaptive) {
  private static final int MOST_PER_ROUTE = 256;
  private static final int MOST_TOTAL = 1024;
  private static final int LEAST_TOTAL = 16;
  private static final double MAX_JITTER = 0.9;

  /**
   * 256 a route for HTTP/1.1; 4 for HTTP/2 with 1,000 calls on each; 4,000 calls in flight to each
   * route; 1,024 in all, or half of what {@code ulimit -n} allows if that is less; 100,000 waiting
   * for each route until their deadlines; kept 55 s when idle, and 10 minutes ± 20% at most.
   */
  public static final PoolLimits DEFAULTS = defaults(Descriptors.limit());

  /**
   * @param descriptors how many this process may have open, its files and servers included
   */
  static PoolLimits defaults(long descriptors) {
    int total = Math.clamp(descriptors / 2, LEAST_TOTAL, MOST_TOTAL);
    return new PoolLimits(
        Math.min(MOST_PER_ROUTE, total),
        4,
        1000,
        4000,
        total,
        100_000,
        null,
        Duration.ofSeconds(55),
        Duration.ofMinutes(10),
        0.2,
        null);
  }

  /**
   * Bounds of the number of calls in flight to one route, which adapts to how long calls take, from
   * the connection to the last byte. For similar calls: use another client for long downloads.
   *
   * @param min the lower bound; at least 1
   * @param max the upper bound; at least {@code min}, at most {@code maxInFlightPerRoute}
   */
  public record Adaptive(int min, int max) {
    /**
     * @throws IllegalArgumentException if a bound is out of its range
     */
    public Adaptive {
      requireAtLeast(1, min, "adaptive min");
      if (max < min) {
        throw new IllegalArgumentException(
            "adaptive max must be at least adaptive min, which is %d, not %d".formatted(min, max));
      }
    }
  }

  /**
   * @throws IllegalArgumentException if a setting is out of its range, or contradicts another
   */
  public PoolLimits {
    requireAtLeast(1, maxTotal, "maxTotal");
    requireWithin(maxPerRoute, "maxPerRoute", maxTotal, "maxTotal");
    requireWithin(maxHttp2PerRoute, "maxHttp2PerRoute", maxTotal, "maxTotal");
    requireAtLeast(1, maxStreamsPerConnection, "maxStreamsPerConnection");
    requireAtLeast(1, maxInFlightPerRoute, "maxInFlightPerRoute");
    requireAtLeast(0, maxQueuedPerRoute, "maxQueuedPerRoute");
    if (acquireTimeout != null) {
      requirePositive(acquireTimeout, "acquireTimeout");
    }
    requirePositive(idleTimeout, "idleTimeout");
    requirePositive(maxAge, "maxAge");
    if (idleTimeout.compareTo(maxAge) > 0) {
      throw new IllegalArgumentException(
          "idleTimeout must be at most maxAge, which is %s, not %s".formatted(maxAge, idleTimeout));
    }
    if (!(ageJitter >= 0 && ageJitter <= MAX_JITTER)) {
      throw new IllegalArgumentException("ageJitter must be 0 to 0.9, not " + ageJitter);
    }
    if (adaptive != null) {
      requireWithin(adaptive.max(), "adaptive max", maxInFlightPerRoute, "maxInFlightPerRoute");
    }
  }

  private static void requireAtLeast(int least, int value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", not " + value);
    }
  }

  private static void requireWithin(int value, String name, int most, String bound) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "%s must be 1 to %s, which is %d, not %d".formatted(name, bound, most, value));
    }
  }

  private static void requirePositive(Duration value, String name) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, but was " + value);
    }
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder(DEFAULTS);
  }

  /**
   * The defaults, with the number of calls in flight to each route between bounds.
   *
   * @throws IllegalArgumentException if {@code min} is less than 1 or {@code max} less than it
   */
  public static PoolLimits adaptive(int min, int max) {
    return builder().adaptive(min, max).build();
  }

  /** A builder with these limits. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /**
   * Collects limits. Those left at their defaults are adjusted to those that are set: {@code
   * maxTotal(2)} alone allows 2 for each route, {@code maxPerRoute(1000)} alone 1,000 in all. Not
   * safe for use by several threads.
   */
  public static final class Builder {
    private int maxPerRoute;
    private int maxHttp2PerRoute;
    private int maxStreamsPerConnection;
    private int maxInFlightPerRoute;
    private int maxTotal;
    private int maxQueuedPerRoute;
    private @Nullable Duration acquireTimeout;
    private Duration idleTimeout;
    private Duration maxAge;
    private double ageJitter;
    private @Nullable Adaptive adaptive;

    private Builder(PoolLimits limits) {
      maxPerRoute = limits.maxPerRoute;
      maxHttp2PerRoute = limits.maxHttp2PerRoute;
      maxStreamsPerConnection = limits.maxStreamsPerConnection;
      maxInFlightPerRoute = limits.maxInFlightPerRoute;
      maxTotal = limits.maxTotal;
      maxQueuedPerRoute = limits.maxQueuedPerRoute;
      acquireTimeout = limits.acquireTimeout;
      idleTimeout = limits.idleTimeout;
      maxAge = limits.maxAge;
      ageJitter = limits.ageJitter;
      adaptive = limits.adaptive;
    }

    /** Connections to one route for HTTP/1.1; 1 to {@code maxTotal}. */
    public Builder maxPerRoute(int connections) {
      maxPerRoute = connections;
      return this;
    }

    /** Connections to one route for HTTP/2; 1 to {@code maxTotal}. */
    public Builder maxHttp2PerRoute(int connections) {
      maxHttp2PerRoute = connections;
      return this;
    }

    /** Calls at the same time on one HTTP/2 connection; at least 1. */
    public Builder maxStreamsPerConnection(int calls) {
      maxStreamsPerConnection = calls;
      return this;
    }

    /** Calls to one route at the same time; at least 1. */
    public Builder maxInFlightPerRoute(int calls) {
      maxInFlightPerRoute = calls;
      return this;
    }

    /** Connections in all; at least 1. */
    public Builder maxTotal(int connections) {
      maxTotal = connections;
      return this;
    }

    /** Calls that wait for a connection to one route; 0 lets none wait. */
    public Builder maxQueuedPerRoute(int calls) {
      maxQueuedPerRoute = calls;
      return this;
    }

    /** How long a call waits for a connection; positive, or null for as long as its deadline. */
    public Builder acquireTimeout(@Nullable Duration timeout) {
      acquireTimeout = timeout;
      return this;
    }

    /** How long a connection that no call uses is kept; positive. */
    public Builder idleTimeout(Duration timeout) {
      idleTimeout = timeout;
      return this;
    }

    /** How long a connection takes new calls; positive. */
    public Builder maxAge(Duration age) {
      maxAge = age;
      return this;
    }

    /** The fraction of {@code maxAge} by which ages differ; 0 to 0.9. */
    public Builder ageJitter(double part) {
      ageJitter = part;
      return this;
    }

    /**
     * Adapts the number of calls in flight to each route to the time that calls take.
     *
     * @throws IllegalArgumentException if {@code min} is less than 1 or {@code max} less than it
     */
    public Builder adaptive(int min, int max) {
      adaptive = new Adaptive(min, max);
      return this;
    }

    /**
     * The limits.
     *
     * @throws IllegalArgumentException if a setting is out of its range or contradicts another
     */
    public PoolLimits build() {
      int total = maxTotal;
      if (total == DEFAULTS.maxTotal) {
        total = Math.max(total, Math.max(maxPerRoute, maxHttp2PerRoute));
      }
      int perRoute = fitted(maxPerRoute, DEFAULTS.maxPerRoute, total);
      int http2PerRoute = fitted(maxHttp2PerRoute, DEFAULTS.maxHttp2PerRoute, total);
      int inFlight = maxInFlightPerRoute;
      if (inFlight == DEFAULTS.maxInFlightPerRoute) {
        long useful = Math.max(perRoute, (long) http2PerRoute * maxStreamsPerConnection);
        useful = Math.max(useful, adaptive == null ? 0 : adaptive.max());
        inFlight = Math.clamp(useful, inFlight, Integer.MAX_VALUE);
      }
      Duration age = maxAge.equals(DEFAULTS.maxAge) ? later(maxAge, idleTimeout) : maxAge;
      boolean idleLeft = idleTimeout.equals(DEFAULTS.idleTimeout) && idleTimeout.compareTo(age) > 0;
      return new PoolLimits(
          perRoute,
          http2PerRoute,
          maxStreamsPerConnection,
          inFlight,
          total,
          maxQueuedPerRoute,
          acquireTimeout,
          idleLeft && age.isPositive() ? age : idleTimeout,
          age,
          ageJitter,
          adaptive);
    }

    /** A limit that was left at its default is reduced to the total. */
    private static int fitted(int value, int unchanged, int total) {
      return value == unchanged && total > 0 ? Math.min(value, total) : value;
    }

    private static Duration later(Duration one, Duration other) {
      return one.compareTo(other) > 0 ? one : other;
    }
  }
}
