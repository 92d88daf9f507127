package heddle.client.pool;

import java.time.Duration;

/**
 * How many connections there may be, how many calls share one, who may wait and how long. Blocking
 * and asynchronous calls count alike.
 *
 * @param maxPerRoute connections open or being opened to one route on which each carries one call
 *     at a time (HTTP/1.1); at least 1
 * @param maxHttp2PerRoute connections open or being opened to one route on which calls share them
 *     (HTTP/2); at least 1. One is filled before the next is opened
 * @param maxStreamsPerConnection calls at the same time on one HTTP/2 connection, where its server
 *     allows so many; at least 1
 * @param maxTotal connections open or being opened in all; at least 1
 * @param maxQueuedPerRoute calls that wait for a connection to one route; 0 lets none wait
 * @param acquireTimeout how long a call waits for a connection, beside its own deadline
 * @param idleTimeout how long a connection that nobody uses is kept
 */
public record PoolLimits(
    int maxPerRoute,
    int maxHttp2PerRoute,
    int maxStreamsPerConnection,
    int maxTotal,
    int maxQueuedPerRoute,
    Duration acquireTimeout,
    Duration idleTimeout) {
  /**
   * 64 a route for HTTP/1.1; 4 for HTTP/2 with 1,000 calls on each; 512 in all; 1,024 waiting for
   * each route at most 10 s; kept 55 s when idle.
   */
  public static final PoolLimits DEFAULTS =
      new PoolLimits(64, 4, 1000, 512, 1024, Duration.ofSeconds(10), Duration.ofSeconds(55));

  /**
   * @throws IllegalArgumentException if a number is out of its range or a duration not positive
   */
  public PoolLimits {
    requireAtLeast(1, maxPerRoute, "maxPerRoute");
    requireAtLeast(1, maxHttp2PerRoute, "maxHttp2PerRoute");
    requireAtLeast(1, maxStreamsPerConnection, "maxStreamsPerConnection");
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
    return new PoolLimits(
        connections,
        maxHttp2PerRoute,
        maxStreamsPerConnection,
        maxTotal,
        maxQueuedPerRoute,
        acquireTimeout,
        idleTimeout);
  }

  public PoolLimits withMaxHttp2PerRoute(int connections) {
    return new PoolLimits(
        maxPerRoute,
        connections,
        maxStreamsPerConnection,
        maxTotal,
        maxQueuedPerRoute,
        acquireTimeout,
        idleTimeout);
  }

  public PoolLimits withMaxStreamsPerConnection(int calls) {
    return new PoolLimits(
        maxPerRoute,
        maxHttp2PerRoute,
        calls,
        maxTotal,
        maxQueuedPerRoute,
        acquireTimeout,
        idleTimeout);
  }

  public PoolLimits withMaxTotal(int connections) {
    return new PoolLimits(
        maxPerRoute,
        maxHttp2PerRoute,
        maxStreamsPerConnection,
        connections,
        maxQueuedPerRoute,
        acquireTimeout,
        idleTimeout);
  }

  public PoolLimits withMaxQueuedPerRoute(int calls) {
    return new PoolLimits(
        maxPerRoute,
        maxHttp2PerRoute,
        maxStreamsPerConnection,
        maxTotal,
        calls,
        acquireTimeout,
        idleTimeout);
  }

  public PoolLimits withAcquireTimeout(Duration timeout) {
    return new PoolLimits(
        maxPerRoute,
        maxHttp2PerRoute,
        maxStreamsPerConnection,
        maxTotal,
        maxQueuedPerRoute,
        timeout,
        idleTimeout);
  }

  public PoolLimits withIdleTimeout(Duration timeout) {
    return new PoolLimits(
        maxPerRoute,
        maxHttp2PerRoute,
        maxStreamsPerConnection,
        maxTotal,
        maxQueuedPerRoute,
        acquireTimeout,
        timeout);
  }
}
