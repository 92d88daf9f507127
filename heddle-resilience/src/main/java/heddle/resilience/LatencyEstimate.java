package heddle.resilience;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Estimates a percentile of an origin's recent latencies, at most an eighth too high. A histogram
 * with eight classes per doubling counts them. When it has {@value #WINDOW} counts, all are halved,
 * so that recent latencies count most. Thread-safe; takes 2 KB.
 */
final class LatencyEstimate {
  /** There is no estimate before this many latencies. */
  static final int LEAST = 32;

  static final int WINDOW = 1_024;

  /** After how many latencies the estimate is computed again. */
  private static final int STEP = 16;

  /** Latencies below 8 microseconds have a class for each microsecond. */
  private static final int EXACT = 8;

  /** Up to some 19 hours; longer ones count as that. */
  private static final int CLASSES = 272;

  private final double share;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final int[] counts = new int[CLASSES];
  private int total;
  private int recorded;

  private volatile long nanos = -1;

  /**
   * Without latencies.
   *
   * @param share of the latencies that are below the estimate; above 0 and below 1
   */
  LatencyEstimate(double share) {
    this.share = share;
  }

  /** The percentile in nanoseconds; -1 if too few latencies are known. */
  long nanos() {
    return nanos;
  }

  /** Adds a latency, unless another thread is adding one: a sample is enough. */
  void record(long latencyNanos) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      counts[classOf(latencyNanos / 1_000)]++;
      total++;
      recorded++;
      if (total >= WINDOW) {
        halve();
      }
      if (total >= LEAST && recorded % STEP == 0) {
        nanos = percentile() * 1_000;
      }
    } finally {
      lock.unlock();
    }
  }

  private void halve() {
    total = 0;
    for (int i = 0; i < CLASSES; i++) {
      counts[i] /= 2;
      total += counts[i];
    }
  }

  private long percentile() {
    int below = 0;
    int index = -1;
    while (below < share * total) {
      index++;
      below += counts[index];
    }
    return endOf(index);
  }

  private static int classOf(long micros) {
    if (micros < EXACT) {
      return (int) Math.max(0, micros);
    }
    int doublings = 60 - Long.numberOfLeadingZeros(micros); // 0 for 8 to 15
    long eighth = (micros >>> doublings) - EXACT;
    return (int) Math.min(CLASSES - 1, EXACT * (doublings + 1L) + eighth);
  }

  /** Where a class ends, in microseconds. */
  private static long endOf(int index) {
    if (index < EXACT) {
      return index + 1L;
    }
    int doublings = index / EXACT - 1;
    return (long) (index % EXACT + EXACT + 1) << doublings;
  }
}
