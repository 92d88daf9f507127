package heddle.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.Pace.Arrivals;
import heddle.load.schedule.Segment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  @Test
  void constantArrivalsAreEvenlySpaced() {
    List<Long> offsets = offsets(Arrivals.CONSTANT, new Extent.Requests(4), Duration.ZERO);
    assertEquals(List.of(0L, 1_000_000L, 2_000_000L, 3_000_000L), offsets);
  }

  @Test
  void countLeavesTheWarmUpOut() {
    List<Long> offsets = offsets(Arrivals.CONSTANT, new Extent.Requests(4), Duration.ofMillis(10));
    assertEquals(14, offsets.size());
  }

  @Test
  void timeLeavesTheWarmUpOut() {
    Extent extent = new Extent.Lasting(Duration.ofMillis(5));
    assertEquals(15, offsets(Arrivals.CONSTANT, extent, Duration.ofMillis(10)).size());
  }

  @Test
  void poissonArrivalsKeepTheRateAndComeAgainInEveryRun() {
    List<Long> offsets = offsets(Arrivals.POISSON, new Extent.Requests(10_000), Duration.ZERO);
    assertEquals(offsets, offsets(Arrivals.POISSON, new Extent.Requests(10_000), Duration.ZERO));
    double mean = offsets.getLast() / 9_999.0;
    assertEquals(1_000_000, mean, 50_000);
    long shorterThanMean = 0;
    for (int i = 1; i < offsets.size(); i++) {
      shorterThanMean += offsets.get(i) - offsets.get(i - 1) < 1_000_000 ? 1 : 0;
    }
    // 1 - 1/e of exponential intervals are shorter than their mean.
    assertTrue(shorterThanMean > 6_000 && shorterThanMean < 6_650, "shorter: " + shorterThanMean);
  }

  private static List<Long> offsets(Arrivals arrivals, Extent extent, Duration warmUp) {
    Schedule schedule =
        new Schedule(new Pace.Open(1_000, 1, arrivals), extent, warmUp, Segment.WHOLE);
    List<Long> offsets = new ArrayList<>();
    for (long next = schedule.next(); next >= 0; next = schedule.next()) {
      offsets.add(next);
    }
    return offsets;
  }
}
