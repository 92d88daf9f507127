package heddle.bench.stats;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The median of a few values, with an interval that assumes nothing of how they are distributed.
 *
 * <p>Up to {@value #BOOTSTRAP_FROM} values it is the exact interval between two order statistics:
 * the number of values below the true median is binomial with p = 1/2, whatever their continuous
 * distribution (H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition, §7.1). With fewer
 * than six values no such interval reaches {@value #CONFIDENCE}: it is then the whole range, with
 * the confidence that this has.
 *
 * <p>From so many on it is the percentile bootstrap (B. Efron and R. J. Tibshirani, An
 * Introduction to the Bootstrap, chapter 13). Not BCa: its acceleration comes from the jackknife,
 * which is inconsistent for the median (the same, §10.6).
 */
public final class MedianEstimator {

  /** What an interval is meant to reach. */
  public static final double CONFIDENCE = 0.95;

  /** With so many values the interval is a bootstrap. */
  public static final int BOOTSTRAP_FROM = 20;

  private static final int RESAMPLES = 2_000;
  private static final RandomGeneratorFactory<RandomGenerator> RANDOM =
      RandomGeneratorFactory.of("L64X128MixRandom");

  private MedianEstimator() {}

  /**
   * Estimates the median.
   *
   * @param values at least one, all of them finite
   * @param seed of the bootstrap: the same values and the same seed give the same interval
   * @throws IllegalArgumentException when there is no value, or one is not finite
   */
  public static Estimate of(List<Double> values, long seed) {
    double[] sorted = sorted(values);
    Interval interval =
        sorted.length < BOOTSTRAP_FROM ? byOrderStatistics(sorted) : byBootstrap(sorted, seed);
    return new Estimate(median(sorted), interval, sorted.length);
  }

  /**
   * The middle value, or the mean of the two in the middle.
   *
   * @throws IllegalArgumentException when there is no value, or one is not finite
   */
  public static double median(List<Double> values) {
    return median(sorted(values));
  }

  private static double median(double[] values) {
    return Median.withDefaults().evaluate(values);
  }

  private static double[] sorted(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("there is no median of no value");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    for (double each : sorted) {
      if (!Double.isFinite(each)) {
        throw new IllegalArgumentException("there is no median of " + values);
      }
    }
    Arrays.sort(sorted);
    return sorted;
  }

  static Interval byOrderStatistics(double[] sorted) {
    int rank = rank(sorted.length);
    return new Interval(
        sorted[rank - 1],
        sorted[sorted.length - rank],
        coverage(sorted.length, rank),
        Interval.Method.ORDER_STATISTICS);
  }

  /** The narrowest that reaches the confidence: from the value of this rank to its counterpart. */
  static int rank(int count) {
    int rank = 1;
    while (2 * (rank + 1) <= count && coverage(count, rank + 1) >= CONFIDENCE) {
      rank++;
    }
    return rank;
  }

  /** How often the true median lies between the value of that rank and that from the end. */
  static double coverage(int count, int rank) {
    double beyond = BinomialDistribution.of(count, 0.5).cumulativeProbability(rank - 1);
    return Math.max(0, 1 - 2 * beyond);
  }

  static Interval byBootstrap(double[] values, long seed) {
    RandomGenerator random = RANDOM.create(seed);
    double[] medians = new double[RESAMPLES];
    double[] drawn = new double[values.length];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int j = 0; j < drawn.length; j++) {
        drawn[j] = values[random.nextInt(values.length)];
      }
      medians[i] = median(drawn);
    }
    Arrays.sort(medians);
    int beyond = (int) Math.floor((1 - CONFIDENCE) / 2 * RESAMPLES);
    return new Interval(
        medians[beyond], medians[RESAMPLES - 1 - beyond], CONFIDENCE, Interval.Method.BOOTSTRAP);
  }
}
