package heddle.bench.stats;

/**
 * A sample median with an interval for the true median.
 *
 * @param median the median of the values
 * @param interval the interval for the true median
 * @param count the number of values
 */
public record Estimate(double median, Interval interval, int count) {}
