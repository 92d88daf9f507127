package heddle.load.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.record.Distribution.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class DistributionTest {

  @Test
  void sumOfRoundsIsWhatOneHistogramWouldHaveRecorded() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Stripes all = Stripes.single();
    List<Distribution> rounds = new ArrayList<>();
    for (int round = 0; round < 7; round++) {
      Stripes own = Stripes.single();
      for (int i = 0; i < 2_000; i++) {
        long nanos = (long) Math.exp(random.nextDouble() * 28.9);
        own.record(nanos);
        all.record(nanos);
      }
      rounds.add(Distribution.of(own.snapshot()));
    }
    rounds.add(Distribution.EMPTY);
    Distribution sum = Distribution.sum(rounds);
    assertEquals(all.snapshot(), sum.histogram(), "seed " + seed);
    assertEquals(14_000, sum.count(), "seed " + seed);
    assertEquals(Latency.ofNanos(all.snapshot()), sum.latency(), "seed " + seed);
  }

  @Test
  void distributionComesBackFromItsText() {
    Stripes stripes = Stripes.single();
    stripes.record(1);
    stripes.record(3_600_000_000_000L);
    Distribution distribution = Distribution.of(stripes.snapshot());
    assertEquals(distribution, Distribution.parse(distribution.encoded()));
    assertEquals(stripes.snapshot(), Distribution.parse(distribution.encoded()).histogram());
    assertThrows(IllegalArgumentException.class, () -> Distribution.parse("bm8gaGlzdG9ncmFt"));
  }

  @Test
  void distributionOfNothingIsEmpty() {
    assertEquals(Distribution.EMPTY, Distribution.of(new Histogram(3)));
    assertEquals(Distribution.EMPTY, Distribution.sum(List.of()));
    assertEquals(0, Distribution.EMPTY.count());
    assertEquals(Latency.NONE, Distribution.EMPTY.latency());
    assertTrue(Distribution.EMPTY.percentiles(5).isEmpty());
  }

  @Test
  void percentilesRiseFromTheShortestToTheLongest() {
    Stripes stripes = Stripes.single();
    for (int i = 1; i <= 1_000; i++) {
      stripes.record(i * 1_000_000L);
    }
    List<Point> points = Distribution.of(stripes.snapshot()).percentiles(10);
    assertTrue(points.size() > 20, points::toString);
    for (int i = 1; i < points.size(); i++) {
      assertTrue(points.get(i).percentile() >= points.get(i - 1).percentile(), points::toString);
      assertTrue(points.get(i).micros() >= points.get(i - 1).micros(), points::toString);
    }
    assertEquals(1_000, points.getFirst().micros(), 5);
    assertEquals(100, points.getLast().percentile());
    assertEquals(1_000_000, points.getLast().micros(), 1_000);
  }
}
