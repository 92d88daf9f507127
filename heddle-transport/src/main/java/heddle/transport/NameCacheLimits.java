package heddle.transport;

import java.time.Duration;

/**
 * How much a {@link CachingResolver} remembers, and for how long. The time to live that a name
 * service gives is kept within {@code minTtl} and {@code maxTtl}.
 *
 * @param maxEntries names remembered; the least recently used is removed to make room
 * @param minTtl the shortest time for which an answer is used again; 0 lets the name service forbid
 *     it
 * @param maxTtl the longest time, so that a name which moves is found again
 * @param defaultTtl for name services that give no time to live, such as the system's
 * @param negativeTtl how long an unknown host is remembered (RFC 2308); 0 asks each time
 */
public record NameCacheLimits(
    int maxEntries, Duration minTtl, Duration maxTtl, Duration defaultTtl, Duration negativeTtl) {
  /**
   * 1,000 names; 1 s to 5 min, 30 s if the name service gives no time to live; 5 s for unknown
   * hosts.
   */
  public static final NameCacheLimits DEFAULTS = new NameCacheLimits(
      1_000,
      Duration.ofSeconds(1),
      Duration.ofMinutes(5),
      Duration.ofSeconds(30),
      Duration.ofSeconds(5));

  /**
   * @throws IllegalArgumentException if {@code maxEntries} is below 1, a time is negative, or
   *     {@code minTtl} or {@code defaultTtl} is above {@code maxTtl}
   */
  public NameCacheLimits {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries must be at least 1, not " + maxEntries);
    }
    requireNotNegative(minTtl, "minTtl");
    requireNotNegative(maxTtl, "maxTtl");
    requireNotNegative(defaultTtl, "defaultTtl");
    requireNotNegative(negativeTtl, "negativeTtl");
    requireAtMost(minTtl, "minTtl", maxTtl);
    requireAtMost(defaultTtl, "defaultTtl", maxTtl);
  }

  private static void requireNotNegative(Duration time, String name) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(name + " must be 0 or longer, not " + time);
    }
  }

  private static void requireAtMost(Duration time, String name, Duration maxTtl) {
    if (time.compareTo(maxTtl) > 0) {
      throw new IllegalArgumentException(
          "%s must be at most maxTtl, which is %s, not %s".formatted(name, maxTtl, time));
    }
  }

  public NameCacheLimits withMaxEntries(int entries) {
    return new NameCacheLimits(entries, minTtl, maxTtl, defaultTtl, negativeTtl);
  }

  public NameCacheLimits withMinTtl(Duration time) {
    return new NameCacheLimits(maxEntries, time, maxTtl, defaultTtl, negativeTtl);
  }

  public NameCacheLimits withMaxTtl(Duration time) {
    return new NameCacheLimits(maxEntries, minTtl, time, defaultTtl, negativeTtl);
  }

  public NameCacheLimits withDefaultTtl(Duration time) {
    return new NameCacheLimits(maxEntries, minTtl, maxTtl, time, negativeTtl);
  }

  public NameCacheLimits withNegativeTtl(Duration time) {
    return new NameCacheLimits(maxEntries, minTtl, maxTtl, defaultTtl, time);
  }

  /** How long an answer is used again, in nanoseconds. */
  long nanosFor(ResolvedHost answer) {
    Duration told = answer.ttl();
    Duration ttl = told == null ? defaultTtl : told;
    Duration bounded = ttl.compareTo(maxTtl) > 0 ? maxTtl : ttl;
    return Deadline.boundedNanos(bounded.compareTo(minTtl) < 0 ? minTtl : bounded);
  }
}
