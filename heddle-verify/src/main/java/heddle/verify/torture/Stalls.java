package heddle.verify.torture;

/**
 * Records when the machine stood still: a thread that only sleeps notes each time that it slept
 * much longer than it asked for. What a call took more because of that is not the engine's fault.
 * Works where there is no memory left, too.
 */
final class Stalls implements AutoCloseable {
  private static final long SLEEP_MILLIS = 2;
  private static final long TOLERATED_NANOS = 3_000_000;

  /** The latest that are remembered. */
  private static final int MOST = 8_192;

  private final long[] from = new long[MOST];
  private final long[] to = new long[MOST];
  private final Thread sleeper;

  /** How many there were; written last, so that who reads it sees what belongs to them. */
  private volatile int count;

  Stalls() {
    sleeper = Thread.ofPlatform().daemon().name("torture-stalls").start(this::watch);
  }

  private void watch() {
    try {
      while (true) {
        long before = System.nanoTime();
        Thread.sleep(SLEEP_MILLIS);
        long due = before + SLEEP_MILLIS * 1_000_000;
        long now = System.nanoTime();
        if (now - due > TOLERATED_NANOS) {
          int known = count;
          from[known % MOST] = due;
          to[known % MOST] = now;
          count = known + 1;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many nanoseconds of the time between the two moments the machine stood still. */
  long nanosWithin(long begin, long end) {
    long sum = 0;
    int known = count;
    for (int i = Math.max(0, known - MOST); i < known; i++) {
      sum += Math.max(0, Math.min(end, to[i % MOST]) - Math.max(begin, from[i % MOST]));
    }
    return sum;
  }

  @Override
  public void close() {
    sleeper.interrupt();
  }
}
