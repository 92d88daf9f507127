package heddle.load.record;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether a load was made as planned. If the generator fell behind, the figures show its own
 * slowness and not the target's. If a client in the same process is measured, requests are also
 * late because the client is slow, which is a result.
 *
 * @param maxLag the limit of the 99th percentile of the send lag; above zero
 * @param share the send lag allowed as a share of the median answer time, if that is more, because
 *     a lag of 20 ms hardly changes an answer time of a second; 0 or more
 */
public record Validity(Duration maxLag, double share) {

  /** A send lag of 10 ms, or of a twentieth of the median answer. */
  public static final Validity DEFAULT = new Validity(Duration.ofMillis(10), 0.05);

  /** Above this share of its cores, an open load measures the queue for them. */
  private static final double MOST_CPU = 0.95;

  /**
   * A generator that has less than this share of its cores was held back by something else than
   * itself if it was late.
   */
  private static final double OWN_CPU = 0.8;

  private static final double MOST_STALLED = 0.1;

  /** In shorter runs, the start of the JVM alone takes such shares. */
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(2);

  /** Checks the ranges; throws {@link IllegalArgumentException} when they are left. */
  public Validity {
    if (!maxLag.isPositive()) {
      throw new IllegalArgumentException("the allowed send lag must be positive, not " + maxLag);
    }
    if (share < 0) {
      throw new IllegalArgumentException("the share of an answer must be 0 or more, not " + share);
    }
  }

  /** Allows this lag, no matter how long answers take. */
  public Validity(Duration maxLag) {
    this(maxLag, 0);
  }

  /** The limits for this median answer time, from the actual start. */
  public Validity forAnswersOf(double medianMicros) {
    long nanos = (long) (share * medianMicros * 1e3);
    return new Validity(Duration.ofNanos(Math.max(maxLag.toNanos(), nanos)));
  }

  /**
   * Why the figures of a target do not count; none if they do.
   *
   * @param cost the cost of the generator
   * @param isPaced whether requests had a schedule: a closed load may use all the CPU time
   * @param lagP99Micros the 99th percentile of the send lag in microseconds; 0 if there is none
   */
  public List<String> doubts(GeneratorCost cost, boolean isPaced, double lagP99Micros) {
    List<String> doubts = new ArrayList<>();
    if (isTooLate(lagP99Micros)) {
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
    addStalls(doubts, cost);
    return doubts;
  }

  /**
   * Why the figures of a client in this process do not count; none if they do. A client may use all
   * cores, and then the generator is late too: that is the client's doing. If the generator was
   * late or stood still although much of its cores' time was unused, it was held back by the
   * machine, or stopped.
   *
   * @param cost the cost of the process while requests were sent
   * @param ownLagP99Micros the 99th percentile of how late requests were handed to the client, in
   *     microseconds, without the time that it took to accept earlier ones; 0 if there is none
   */
  public List<String> doubtsAboutClient(GeneratorCost cost, double ownLagP99Micros) {
    List<String> doubts = new ArrayList<>();
    if (cost.cpuShare() >= OWN_CPU) {
      return doubts;
    }
    if (isTooLate(ownLagP99Micros)) {
      doubts.add(String.format(
          Locale.ROOT,
          "the generator handed over one request in a hundred %.1f ms late or later, more than the"
              + " %.1f ms allowed, and had only %.0f%% of its %d cores",
          ownLagP99Micros / 1e3,
          maxLag.toNanos() / 1e6,
          cost.cpuShare() * 100,
          cost.cores()));
    }
    if (cost.wall().compareTo(LONG_ENOUGH) >= 0) {
      addStalls(doubts, cost);
    }
    return doubts;
  }

  /** Whether this lag is above the limit. */
  public boolean isTooLate(double lagMicros) {
    return lagMicros > maxLag.toNanos() / 1e3;
  }

  private static void addStalls(List<String> doubts, GeneratorCost cost) {
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
  }
}
