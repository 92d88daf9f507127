package heddle.load.record;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * A histogram that many threads record into without a lock: 100 ns to an hour, to three digits. Its
 * size depends only on the number of cores.
 *
 * <p>A histogram per caller would cost 200 KB each and push the client under test out of the cache.
 * A few histograms that threads share by their id cost nothing on one core.
 */
public final class Stripes {

  private static final long LOWEST_NANOS = 100;
  private static final long HIGHEST_NANOS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final AtomicHistogram[] stripes;

  /** Creates an empty histogram for many threads. */
  public Stripes() {
    this(Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1));
  }

  private Stripes(int count) {
    stripes = new AtomicHistogram[count];
    for (int i = 0; i < count; i++) {
      stripes[i] = new AtomicHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    }
  }

  /** Creates an empty histogram for few threads or few values. */
  public static Stripes single() {
    return new Stripes(1);
  }

  /** Records a duration; it is clamped to the range. */
  public void record(long nanos) {
    int stripe = (int) Thread.currentThread().threadId() & (stripes.length - 1);
    stripes[stripe].recordValue(Math.clamp(nanos, 0, HIGHEST_NANOS));
  }

  /** How many were recorded. */
  public long count() {
    long count = 0;
    for (AtomicHistogram stripe : stripes) {
      count += stripe.getTotalCount();
    }
    return count;
  }

  /** A copy of all that was recorded so far, in nanoseconds. */
  public Histogram snapshot() {
    Histogram all = empty();
    for (AbstractHistogram stripe : stripes) {
      all.add(stripe);
    }
    return all;
  }

  /** A histogram of the same range and precision. */
  public static Histogram empty() {
    return new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  }
}
