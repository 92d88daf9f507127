package heddle.bench.stats;

/**
 * A median and what is known of its true value.
 *
 * @param median of the values
 * @param interval of the true median
 * @param count how many values there are
 */
public record Estimate(double median, Interval interval, int count) {}
