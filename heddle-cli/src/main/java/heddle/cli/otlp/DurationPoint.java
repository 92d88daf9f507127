package heddle.cli.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Converts a histogram of nanoseconds to OpenTelemetry's buckets, in seconds. */
final class DurationPoint {

  /**
   * The boundaries that the semantic conventions advise for {@code http.client.request.duration},
   * with smaller ones for nearby services.
   */
  private static final List<Double> BOUNDARIES = List.of(
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75,
      1.0, 2.5, 5.0, 7.5, 10.0);

  /** Buckets of 0.27 %; the histograms do not resolve finer ones. */
  private static final int FINEST_SCALE = 8;

  /** The number of buckets that the SDK keeps and that backends accept. */
  private static final int MOST_BUCKETS = 160;

  private static final int COARSEST_SCALE = -10;

  private DurationPoint() {}

  /** In exponential buckets, as fine as the maximum number allows. */
  static ExponentialHistogramPointData exponential(
      Histogram nanos, long start, long now, Attributes attributes) {
    long zeros = nanos.getCountAtValue(0);
    boolean isEmpty = nanos.getTotalCount() == 0;
    int scale = scale(nanos);
    return ExponentialHistogramPointData.create(
        scale,
        sum(nanos),
        zeros,
        !isEmpty,
        isEmpty ? 0 : seconds(nanos.getMinValue()),
        !isEmpty,
        isEmpty ? 0 : seconds(nanos.getMaxValue()),
        buckets(nanos, scale),
        ExponentialHistogramBuckets.create(scale, 0, List.of()),
        start,
        now,
        attributes,
        List.of());
  }

  private static int scale(Histogram nanos) {
    if (nanos.getMaxValue() == 0) {
      return FINEST_SCALE;
    }
    double least = seconds(middle(nanos, nanos.getMinNonZeroValue()));
    double most = seconds(middle(nanos, nanos.getMaxValue()));
    int scale = FINEST_SCALE;
    while (scale > COARSEST_SCALE && index(most, scale) - index(least, scale) >= MOST_BUCKETS) {
      scale--;
    }
    return scale;
  }

  private static ExponentialHistogramBuckets buckets(Histogram nanos, int scale) {
    if (nanos.getMaxValue() == 0) {
      return ExponentialHistogramBuckets.create(scale, 0, List.of());
    }
    int first = index(seconds(middle(nanos, nanos.getMinNonZeroValue())), scale);
    int last = index(seconds(middle(nanos, nanos.getMaxValue())), scale);
    List<Long> counts = new ArrayList<>(Collections.nCopies(last - first + 1, 0L));
    for (HistogramIterationValue each : nanos.recordedValues()) {
      if (each.getValueIteratedTo() > nanos.highestEquivalentValue(0)) {
        int place = index(seconds(middle(nanos, each.getValueIteratedTo())), scale) - first;
        counts.set(place, counts.get(place) + each.getCountAddedInThisIterationStep());
      }
    }
    return ExponentialHistogramBuckets.create(scale, first, counts);
  }

  /** The bucket of a value: bucket i is from 2^(i/2^scale), exclusive, to 2^((i+1)/2^scale). */
  static int index(double seconds, int scale) {
    return (int) Math.ceil(Math.log(seconds) / Math.log(2) * Math.pow(2, scale)) - 1;
  }

  /** In fixed buckets. */
  static HistogramPointData explicit(Histogram nanos, long start, long now, Attributes attributes) {
    boolean isEmpty = nanos.getTotalCount() == 0;
    List<Long> counts = new ArrayList<>(Collections.nCopies(BOUNDARIES.size() + 1, 0L));
    for (HistogramIterationValue each : nanos.recordedValues()) {
      int place =
          Collections.binarySearch(BOUNDARIES, seconds(middle(nanos, each.getValueIteratedTo())));
      // A boundary belongs to the bucket below it.
      int bucket = place < 0 ? -place - 1 : place;
      counts.set(bucket, counts.get(bucket) + each.getCountAddedInThisIterationStep());
    }
    return HistogramPointData.create(
        start,
        now,
        attributes,
        sum(nanos),
        !isEmpty,
        isEmpty ? 0 : seconds(nanos.getMinValue()),
        !isEmpty,
        isEmpty ? 0 : seconds(nanos.getMaxValue()),
        BOUNDARIES,
        counts);
  }

  private static double sum(Histogram nanos) {
    return nanos.getTotalCount() == 0 ? 0 : nanos.getMean() * nanos.getTotalCount() / 1e9;
  }

  /** The value that represents all values of a bucket of the histogram. */
  private static long middle(Histogram nanos, long value) {
    return nanos.medianEquivalentValue(value);
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }
}
