package heddle.transport;

import java.time.Duration;

/**
 * A moment by which something must be done, on the scale of a {@link Clock}. One deadline goes
 * through all phases of a call, so that no phase starts the time anew.
 *
 * @param nanos on the scale of {@link Clock#nanoTime}; {@link #NEVER_NANOS} for no deadline
 */
public record Deadline(long nanos) {
  /** The moment that never comes. */
  public static final long NEVER_NANOS = Long.MAX_VALUE;

  private static final Deadline NEVER = new Deadline(NEVER_NANOS);

  /** No deadline. */
  public static Deadline never() {
    return NEVER;
  }

  /**
   * The moment {@code timeout} from now; a timeout beyond 292 years is never.
   *
   * @throws IllegalArgumentException if the timeout is negative
   */
  public static Deadline after(Duration timeout, Clock clock) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout " + timeout + " is negative");
    }
    long now = clock.nanoTime();
    if (timeout.compareTo(Duration.ofNanos(NEVER_NANOS - 1 - now)) > 0) {
      return NEVER;
    }
    return new Deadline(now + timeout.toNanos());
  }

  public boolean isNever() {
    return nanos == NEVER_NANOS;
  }

  public boolean isPast(Clock clock) {
    return nanos != NEVER_NANOS && clock.nanoTime() >= nanos;
  }

  /** Nanoseconds left: at least 0, {@link #NEVER_NANOS} when there is no deadline. */
  public long remainingNanos(Clock clock) {
    return nanos == NEVER_NANOS ? NEVER_NANOS : Math.max(0, nanos - clock.nanoTime());
  }

  /** The nearer of the two. */
  public Deadline earlier(Deadline other) {
    return nanos <= other.nanos ? this : other;
  }
}
