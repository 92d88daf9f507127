package heddle.cli.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.record.Stripes;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import java.util.Arrays;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class DurationPointTest {

  private static ExponentialHistogramPointData exponential(Histogram nanos) {
    return DurationPoint.exponential(nanos, 1, 2, Attributes.empty());
  }

  @Test
  void percentilesOfTheBucketsAreThoseThatWereRecorded() {
    for (int seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      Histogram recorded = Stripes.empty();
      long[] nanos = new long[2_000];
      for (int i = 0; i < nanos.length; i++) {
        nanos[i] = (long) Math.exp(9 + random.nextGaussian() * (1 + seed % 4));
        recorded.recordValue(Math.min(nanos[i], 3_600_000_000_000L));
      }
      Arrays.sort(nanos);
      ExponentialHistogramPointData point = exponential(recorded);
      assertEquals(nanos.length, point.getCount(), "seed " + seed);
      assertTrue(point.getPositiveBuckets().getBucketCounts().size() <= 160, "seed " + seed);
      double width = Math.pow(2, Math.pow(2, -point.getScale()));
      for (double share : new double[] {0.1, 0.5, 0.99}) {
        double exact = nanos[(int) (share * nanos.length)] / 1e9;
        double found = percentile(point, share);
        assertTrue(
            found >= exact / width * 0.99 - 1e-7 && found <= exact * width * 1.01 + 1e-7,
            "seed " + seed + ", scale " + point.getScale() + ": " + exact + " became " + found);
      }
      double sum = Arrays.stream(nanos).sum() / 1e9;
      assertEquals(sum, point.getSum(), sum * 0.01, "seed " + seed);
    }
  }

  private static double percentile(ExponentialHistogramPointData point, double share) {
    long left = (long) (share * point.getCount()) - point.getZeroCount();
    int index = point.getPositiveBuckets().getOffset();
    for (long count : point.getPositiveBuckets().getBucketCounts()) {
      left -= count;
      if (left < 0) {
        return Math.pow(2, (index + 0.5) / Math.pow(2, point.getScale()));
      }
      index++;
    }
    return Double.NaN;
  }

  @Test
  void boundaryBelongsToTheBucketBelowIt() {
    assertEquals(-1, DurationPoint.index(1, 0));
    assertEquals(0, DurationPoint.index(1.5, 0));
    assertEquals(0, DurationPoint.index(2, 0));
    assertEquals(-2, DurationPoint.index(0.5, 0));
    assertEquals(5, DurationPoint.index(8, 1));
  }

  @Test
  void nothingAndZerosAreNoBuckets() {
    ExponentialHistogramPointData none = exponential(Stripes.empty());
    assertEquals(0, none.getCount());
    assertFalse(none.hasMin() || none.hasMax());
    Histogram zeros = Stripes.empty();
    zeros.recordValueWithCount(0, 7);
    assertEquals(7, exponential(zeros).getZeroCount());
    assertEquals(7, exponential(zeros).getCount());
    zeros.recordValue(1_000_000);
    assertEquals(7, exponential(zeros).getZeroCount());
    assertEquals(8, exponential(zeros).getCount());
  }

  @Test
  void givenBucketsHoldWhatIsNotAboveTheirBoundary() {
    Histogram nanos = Stripes.empty();
    nanos.recordValueWithCount(40_000, 2);
    nanos.recordValueWithCount(700_000_000, 3);
    nanos.recordValueWithCount(20_000_000_000L, 4);
    HistogramPointData point = DurationPoint.explicit(nanos, 1, 2, Attributes.empty());
    assertEquals(9, point.getCount());
    assertEquals(2, point.getCounts().getFirst());
    assertEquals(3, point.getCounts().get(point.getBoundaries().indexOf(0.75)));
    assertEquals(4, point.getCounts().getLast());
  }
}
