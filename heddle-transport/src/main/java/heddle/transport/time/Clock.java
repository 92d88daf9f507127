package heddle.transport.time;

/** Monotonic time, and the time of day that goes with it. */
@FunctionalInterface
public interface Clock {
  /**
   * Nanoseconds since some moment before the clock was first asked: never negative, never going
   * back, unrelated to the time of day. Plain comparison of two values is safe.
   */
  long nanoTime();

  /**
   * The time of day, in milliseconds since 1970-01-01T00:00:00Z. It may jump either way: for dates
   * that people read, never to measure with. The machine's own unless a clock has another.
   */
  default long epochMillis() {
    return System.currentTimeMillis();
  }

  /** The machine's own monotonic clock. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }
}
