package heddle.transport.time;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

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

  private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;
  private static final Deadline NEVER = new Deadline(NEVER_NANOS);
  private static final Deadline AT_ONCE = new Deadline(Long.MIN_VALUE / 2);

  /** No deadline. */
  public static Deadline never() {
    return NEVER;
  }

  /** A moment that has passed: for what is to be done as far as it goes without waiting. */
  public static Deadline atOnce() {
    return AT_ONCE;
  }

  /** As {@link #after(Duration, long)}, from now. */
  public static Deadline after(Duration timeout, Clock clock) {
    return after(timeout, clock.nanoTime());
  }

  /**
   * The moment {@code timeout} from {@code start}; a timeout beyond 146 years is never.
   *
   * @param start on the scale of {@link Clock#nanoTime}
   * @throws IllegalArgumentException if the timeout is negative
   */
  public static Deadline after(Duration timeout, long start) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout " + timeout + " is negative");
    }
    long bounded = boundedNanos(timeout);
    return bounded == LONGEST_NANOS ? NEVER : new Deadline(start + bounded);
  }

  /** A time in nanoseconds, at most some 146 years: added to any time of a clock it fits a long. */
  public static long boundedNanos(Duration time) {
    return Math.min(LONGEST_NANOS, NANOSECONDS.convert(time));
  }

  /** Whether it never passes. */
  public boolean isNever() {
    return nanos == NEVER_NANOS;
  }

  /** Whether it has passed by this clock. */
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
