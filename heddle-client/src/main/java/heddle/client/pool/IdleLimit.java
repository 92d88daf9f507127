package heddle.client.pool;

import heddle.transport.time.Deadline;
import java.util.concurrent.TimeUnit;

/**
 * How long connections of one route may be idle: the configured time, or less if the server, or a
 * device on the way to it, has closed idle connections sooner. The learned limit doubles every five
 * minutes, so that a server that keeps connections longer than before is noticed. Connections that
 * end together after very different idle times did not end because they were idle: the server was
 * probably restarted, and nothing is learned from that.
 *
 * <p>Time is an argument, in nanoseconds. Guarded by the route's lock.
 */
final class IdleLimit {
  /** A connection that ends sooner did not end because it was idle. */
  static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  static final long DOUBLING_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Connections that end within this time of the previous one belong together. */
  static final long TOGETHER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long MOST_DOUBLINGS = 30;

  private final long configured;
  private long learned = Deadline.NEVER_NANOS;
  private long learnedAt;

  // The current group of ends: the limit before it, and the idle times seen in it.
  private long before = Deadline.NEVER_NANOS;
  private long beforeAt;
  private long endedAt;
  private long shortest;
  private long longest = Long.MIN_VALUE;

  IdleLimit(long configuredNanos) {
    this.configured = configuredNanos;
  }

  /**
   * The limit for a peer that keeps connections this long: a tenth less, because the peer counts
   * from another moment than we do, and a request takes time to arrive.
   */
  static long within(long peersNanos) {
    return peersNanos - peersNanos / 10;
  }

  long nanos(long now) {
    if (learned == Deadline.NEVER_NANOS) {
      return configured;
    }
    long elapsed = Math.max(0, now - learnedAt);
    long doublings = elapsed / DOUBLING_NANOS;
    if (doublings < MOST_DOUBLINGS) {
      long grown = learned << doublings;
      grown += (long) (grown * ((double) (elapsed % DOUBLING_NANOS) / DOUBLING_NANOS));
      if (grown < configured) {
        return grown;
      }
    }
    learned = Deadline.NEVER_NANOS;
    return configured;
  }

  /**
   * A connection turned out to be closed by its peer after it had been idle for a while.
   *
   * @return whether the limit is lower now
   */
  boolean learn(long idleNanos, long now) {
    if (endsUnlikeOthers(idleNanos, now)) {
      learned = before;
      learnedAt = beforeAt;
      return false;
    }
    long allowed = within(idleNanos);
    if (idleNanos < LEAST_NANOS || allowed >= nanos(now)) {
      return false;
    }
    learned = allowed;
    learnedAt = now;
    return true;
  }

  /** Servers check for idle connections periodically: times that differ by a half are alike. */
  private boolean endsUnlikeOthers(long idleNanos, long now) {
    boolean first = longest == Long.MIN_VALUE || now - endedAt > TOGETHER_NANOS;
    if (first) {
      before = learned;
      beforeAt = learnedAt;
    }
    endedAt = now;
    shortest = first ? idleNanos : Math.min(shortest, idleNanos);
    longest = first ? idleNanos : Math.max(longest, idleNanos);
    return longest - shortest > Math.max(0, shortest) / 2;
  }
}
