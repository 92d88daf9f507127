package heddle.transport;

/** Monotonic time. */
@FunctionalInterface
public interface Clock {
  /**
   * Nanoseconds since some moment before the clock was first asked: never negative, never going
   * back, unrelated to the time of day. Plain comparison of two values is safe.
   */
  long nanoTime();

  /** The machine's own monotonic clock. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }
}
