package heddle.client.settings;

import java.time.Duration;

/**
 * How many host names a client remembers, and for how long.
 *
 * @param maxEntries names remembered; the least recently used is removed to make room
 * @param minTtl the shortest time for which an answer is used again; 0 lets the service forbid it
 * @param maxTtl the longest time, so that a name which moves is found again
 * @param defaultTtl for name services that give no time to live, such as the system's
 * @param negativeTtl how long an unknown host is remembered (RFC 2308); 0 asks each time
 */
public record NameCacheLimits(
    int maxEntries, Duration minTtl, Duration maxTtl, Duration defaultTtl, Duration negativeTtl) {
  /** 1,000 names; 1 s to 5 min, 30 s without a time to live; 5 s for unknown hosts. */
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

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder(DEFAULTS);
  }

  /** A builder with these limits. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Collects limits. Not safe for use by several threads. */
  public static final class Builder {
    private int maxEntries;
    private Duration minTtl;
    private Duration maxTtl;
    private Duration defaultTtl;
    private Duration negativeTtl;

    private Builder(NameCacheLimits limits) {
      maxEntries = limits.maxEntries;
      minTtl = limits.minTtl;
      maxTtl = limits.maxTtl;
      defaultTtl = limits.defaultTtl;
      negativeTtl = limits.negativeTtl;
    }

    /** How many names are remembered; at least 1. */
    public Builder maxEntries(int number) {
      maxEntries = number;
      return this;
    }

    /** The shortest time for which an answer is used again; 0 or longer. */
    public Builder minTtl(Duration time) {
      minTtl = time;
      return this;
    }

    /** The longest time for which an answer is used again; 0 or longer. */
    public Builder maxTtl(Duration time) {
      maxTtl = time;
      return this;
    }

    /** How long an answer without a time to live is used again; 0 or longer. */
    public Builder defaultTtl(Duration time) {
      defaultTtl = time;
      return this;
    }

    /** How long an unknown host is remembered; 0 or longer. */
    public Builder negativeTtl(Duration time) {
      negativeTtl = time;
      return this;
    }

    /**
     * The limits.
     *
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public NameCacheLimits build() {
      return new NameCacheLimits(maxEntries, minTtl, maxTtl, defaultTtl, negativeTtl);
    }
  }
}
