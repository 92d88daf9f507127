package heddle.codec.http2;

/**
 * The shortest time that a peer took to acknowledge a frame (SETTINGS or PING): a round trip
 * without queueing. For one thread at a time; time is an argument.
 */
final class RoundTrip {
  /** Assumed before anything was acknowledged. */
  static final long ASSUMED_NANOS = 50_000_000L;

  /** Time between two measurements. */
  private static final long EVERY_NANOS = 1_000_000_000L;

  private long least = ASSUMED_NANOS;
  private long sentAt;
  private boolean waiting;
  private boolean measured;

  /** Whether it is time to measure again. */
  boolean isDue(long nowNanos) {
    return !waiting && (!measured || nowNanos - sentAt >= EVERY_NANOS);
  }

  /** Something was sent that will be acknowledged; while it is, further ones do not count. */
  void sent(long nowNanos) {
    if (!waiting) {
      waiting = true;
      sentAt = nowNanos;
    }
  }

  /** It was acknowledged. */
  void acknowledged(long nowNanos) {
    if (waiting) {
      waiting = false;
      long took = Math.max(1, nowNanos - sentAt);
      least = measured ? Math.min(least, took) : took;
      measured = true;
    }
  }

  /** Nanoseconds, at least 1. */
  long nanos() {
    return least;
  }
}
