package heddle.load.record;

import org.HdrHistogram.AbstractHistogram;

/**
 * Response times of successful answers, in microseconds; all 0 if there were none.
 *
 * @param mean the average
 * @param p50 the median
 * @param p90 the 90th percentile
 * @param p95 the 95th percentile
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 * @param p9999 the 99.99th percentile
 * @param max the longest
 */
public record Latency(
    double mean,
    double p50,
    double p90,
    double p95,
    double p99,
    double p999,
    double p9999,
    double max) {

  /** The latency of no answers. */
  public static final Latency NONE = new Latency(0, 0, 0, 0, 0, 0, 0, 0);

  /** The latency of a histogram of nanoseconds. */
  public static Latency ofNanos(AbstractHistogram nanos) {
    if (nanos.getTotalCount() == 0) {
      return NONE;
    }
    return new Latency(
        nanos.getMean() / 1e3,
        nanos.getValueAtPercentile(50) / 1e3,
        nanos.getValueAtPercentile(90) / 1e3,
        nanos.getValueAtPercentile(95) / 1e3,
        nanos.getValueAtPercentile(99) / 1e3,
        nanos.getValueAtPercentile(99.9) / 1e3,
        nanos.getValueAtPercentile(99.99) / 1e3,
        nanos.getMaxValue() / 1e3);
  }
}
