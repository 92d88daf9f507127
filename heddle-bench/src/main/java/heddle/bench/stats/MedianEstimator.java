package heddle.bench.stats;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The median of a few values, with an interval that makes no assumption about their distribution.
 *
 * <p>Up to {@value #BOOTSTRAP_FROM} values it is the exact interval between two order statistics:
 * the number of values below the true median is binomial with p = 1/2, whatever their continuous
 * distribution (H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition, §7.1). With fewer
 * than six values no such interval reaches {@value #CONFIDENCE}: the interval is then the whole
 * range, with its lower confidence.
 *
 * <p>From that number on it is the percentile bootstrap (B. Efron and R. J. Tibshirani, An
 * Introduction to the Bootstrap, chapter 13). Not BCa: its acceleration comes from the jackknife,
 * which is inconsistent for the median (the same, §10.6).
 */
public final class MedianEstimator {

  /** The intended confidence of an interval. */
  public static final double CONFIDENCE = 0.95;

  /** From this number of values on, the interval is a bootstrap. */
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
   * @throws IllegalArgumentException if there is no value, or one is not finite
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
   * @throws IllegalArgumentException if there is no value, or one is not finite
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

  /** The rank of the lower end of the narrowest interval that reaches the confidence. */
  static int rank(int count) {
    int rank = 1;
    while (2 * (rank + 1) <= count && coverage(count, rank + 1) >= CONFIDENCE) {
      rank++;
    }
    return rank;
  }

  /**
   * The probability that the true median lies between the values of this rank and of its
   * counterpart.
   */
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
