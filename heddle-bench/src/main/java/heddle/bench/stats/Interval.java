package heddle.bench.stats;

/**
 * Where the true value lies.
 *
 * @param low its lower end
 * @param high its upper end, not below the lower one
 * @param confidence how often an interval that is made so holds the true value, 0 to 1. Of one
 *     value it is 0: one says nothing of what the next will be
 * @param method how it was made
 */
public record Interval(double low, double high, double confidence, Method method) {

  /** How an interval was made. */
  public enum Method {
    /** Between two of the values in their order: exact, whatever they are distributed like. */
    ORDER_STATISTICS,
    /** Between two quantiles of what the median is when values are drawn again. */
    BOOTSTRAP,
    /** From the ends of two others. */
    COMBINED
  }

  /** Checks that the ends are numbers and in order; throws {@link IllegalArgumentException}. */
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
