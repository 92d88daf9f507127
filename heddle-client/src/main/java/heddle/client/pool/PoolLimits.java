package heddle.client.pool;

import java.time.Duration;

/**
 * How many connections there may be, who may wait for one and how long. Blocking and asynchronous
 * calls count alike.
 *
 * @param maxPerRoute connections open or being opened to one route; at least 1
 * @param maxTotal connections open or being opened in all; at least 1
 * @param maxQueuedPerRoute calls that wait for a connection to one route; 0 lets none wait
 * @param acquireTimeout how long a call waits for a connection, beside its own deadline
 * @param idleTimeout how long a connection that nobody uses is kept
 */
public record PoolLimits(
    int maxPerRoute,
    int maxTotal,
    int maxQueuedPerRoute,
    Duration acquireTimeout,
    Duration idleTimeout) {
  /** 64 a route, 512 in all, 1,024 waiting for each route at most 10 s, kept 55 s when idle. */
  public static final PoolLimits DEFAULTS =
      new PoolLimits(64, 512, 1024, Duration.ofSeconds(10), Duration.ofSeconds(55));

  /**
   * @throws IllegalArgumentException if a number is out of its range or a duration not positive
   */
  public PoolLimits {
    requireAtLeast(1, maxPerRoute, "maxPerRoute");
    requireAtLeast(1, maxTotal, "maxTotal");
    requireAtLeast(0, maxQueuedPerRoute, "maxQueuedPerRoute");
    requirePositive(acquireTimeout, "acquireTimeout");
    requirePositive(idleTimeout, "idleTimeout");
  }

  private static void requireAtLeast(int least, int value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", not " + value);
    }
  }

  private static void requirePositive(Duration value, String name) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be longer than nothing, not " + value);
    }
  }

  public PoolLimits withMaxPerRoute(int connections) {
    return new PoolLimits(connections, maxTotal, maxQueuedPerRoute, acquireTimeout, idleTimeout);
  }

  public PoolLimits withMaxTotal(int connections) {
    return new PoolLimits(maxPerRoute, connections, maxQueuedPerRoute, acquireTimeout, idleTimeout);
  }

  public PoolLimits withMaxQueuedPerRoute(int calls) {
    return new PoolLimits(maxPerRoute, maxTotal, calls, acquireTimeout, idleTimeout);
  }

  public PoolLimits withAcquireTimeout(Duration timeout) {
    return new PoolLimits(maxPerRoute, maxTotal, maxQueuedPerRoute, timeout, idleTimeout);
  }

  public PoolLimits withIdleTimeout(Duration timeout) {
    return new PoolLimits(maxPerRoute, maxTotal, maxQueuedPerRoute, acquireTimeout, timeout);
  }
}
