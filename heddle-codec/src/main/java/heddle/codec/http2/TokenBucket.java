package heddle.codec.http2;

/**
 * So many at once, so many a second after that. Time is an argument; it may have any origin and
 * must not go back. For one thread at a time.
 */
final class TokenBucket {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final long nanosPerToken;
  private final long capacityNanos;

  /** When the bucket will be full again, as time; what is left of that is what was taken. */
  private long fullAt;

  private boolean used;

  TokenBucket(Http2Limits.Rate rate) {
    nanosPerToken = NANOS_PER_SECOND / rate.perSecond();
    capacityNanos = nanosPerToken * rate.atOnce();
  }

  /** Takes a token; false, and none is taken, when there is none. */
  boolean take(long nowNanos) {
    // Differences of times only: they may overflow and are right all the same.
    long taken = used ? Math.max(0, fullAt - nowNanos) : 0;
    if (taken > capacityNanos - nanosPerToken) {
      return false;
    }
    used = true;
    fullAt = nowNanos + taken + nanosPerToken;
    return true;
  }

  /** Puts a token back. */
  void give() {
    fullAt -= nanosPerToken;
  }
}
