package heddle.bench.stats;

/**
 * A confidence interval.
 *
 * @param low its lower end
 * @param high its upper end, not below the lower one
 * @param confidence how often such an interval contains the true value, 0 to 1. For a single value
 *     it is 0
 * @param method how it was computed
 */
public record Interval(double low, double high, double confidence, Method method) {

  /** How an interval was computed. */
  public enum Method {
    /** Between two order statistics: exact for any distribution. */
    ORDER_STATISTICS,
    /** Between two quantiles of the medians of resampled values. */
    BOOTSTRAP,
    /** From the ends of two others. */
    COMBINED
  }

  /** Throws {@link IllegalArgumentException} if the ends are not numbers or not in order. */
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("no interval goes from " + low + " to " + high);
    }
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("a confidence is 0 to 1, not " + confidence);
    }
  }

  /** Whether the value lies between the ends, or on one. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
