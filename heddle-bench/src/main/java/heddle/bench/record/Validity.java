package heddle.bench.record;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether a load was made as it was meant to be. Where the generator itself fell behind, what it
 * measured is its own slowness, and no figure of the target.
 *
 * @param maxLag how late one request in a hundred may have been sent at most, from its intended
 *     start: the 99th percentile of the send lag; above zero
 * @param share of the median answer that it may be late too, where that is more: what took a
 *     second is not much less true for 20 ms; 0 or more
 */
public record Validity(Duration maxLag, double share) {

  /** A send lag of 10 ms, or of a twentieth of the median answer. */
  public static final Validity DEFAULT = new Validity(Duration.ofMillis(10), 0.05);

  /** Above this share of its cores, what an open load measures is their queue. */
  private static final double MOST_CPU = 0.95;

  private static final double MOST_STALLED = 0.1;

  /** In less than that, the start of the JVM alone takes such shares. */
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(2);

  /** Checks the ranges; throws {@link IllegalArgumentException} when they are left. */
  public Validity {
    if (!maxLag.isPositive()) {
      throw new IllegalArgumentException("the send lag may be more than zero, not " + maxLag);
    }
    if (share < 0) {
      throw new IllegalArgumentException("the share of an answer must be 0 or more, not " + share);
    }
  }

  /** So much lag, however long answers take. */
  public Validity(Duration maxLag) {
    this(maxLag, 0);
  }

  /** The same where the median answer takes so long, from the actual start. */
  public Validity forAnswersOf(double medianMicros) {
    long nanos = (long) (share * medianMicros * 1e3);
    return new Validity(Duration.ofNanos(Math.max(maxLag.toNanos(), nanos)));
  }

  /**
   * Why the figures do not count; none where they do.
   *
   * @param cost what the generator took
   * @param isPaced whether requests were sent at times of their own: a closed load may well use all
   *     the CPU time there is
   * @param lagP99Micros the 99th percentile of the send lag in microseconds; 0 where there is none
   */
  public List<String> doubts(GeneratorCost cost, boolean isPaced, double lagP99Micros) {
    List<String> doubts = new ArrayList<>();
    if (lagP99Micros > maxLag.toNanos() / 1e3) {
      doubts.add(String.format(
          Locale.ROOT,
          "one request in a hundred was sent %.1f ms late or later, more than the %.1f ms allowed",
          lagP99Micros / 1e3,
          maxLag.toNanos() / 1e6));
    }
    if (cost.wall().compareTo(LONG_ENOUGH) < 0) {
      return doubts;
    }
    if (isPaced && cost.cpuShare() > MOST_CPU) {
      doubts.add(String.format(
          Locale.ROOT,
          "the generator used %.0f%% of its %d cores, more than %.0f%%",
          cost.cpuShare() * 100,
          cost.cores(),
          MOST_CPU * 100));
    }
    if (cost.stalledShare() > MOST_STALLED) {
      doubts.add(String.format(
          Locale.ROOT,
          "the generator stood still for %.0f ms in all and %.0f ms at once (collections %d ms),"
              + " more than %.0f%% of the time",
          cost.stalled().toNanos() / 1e6,
          cost.longestStall().toNanos() / 1e6,
          cost.collecting().toMillis(),
          MOST_STALLED * 100));
    }
    return doubts;
  }
}
