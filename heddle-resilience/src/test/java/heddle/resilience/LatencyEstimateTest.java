package heddle.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How close the estimate is to the percentile, and how soon it follows a change. */
final class LatencyEstimateTest {
  @Test
  void thereIsNoEstimateBeforeSomeLatencies() {
    LatencyEstimate estimate = new LatencyEstimate(0.5);
    for (int i = 0; i < LatencyEstimate.LEAST; i++) {
      assertEquals(-1, estimate.nanos());
      estimate.record(1_000_000);
    }
    assertTrue(estimate.nanos() >= 1_000_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 999, 1_000, 7_999, 8_000, 15_999, 16_000, 1_234_567, 60_000_000_000L})
  void estimateIsAtMostAnEighthTooHigh(long latency) {
    LatencyEstimate estimate = new LatencyEstimate(0.9);
    for (int i = 0; i < LatencyEstimate.LEAST; i++) {
      estimate.record(latency);
    }
    assertTrue(estimate.nanos() >= latency, () -> "estimated " + estimate.nanos());
    assertTrue(
        estimate.nanos() <= latency + latency / 8 + 1_000, () -> "estimated " + estimate.nanos());
  }

  @ParameterizedTest
  @CsvSource({"0.5, 1", "0.9, 2", "0.95, 3", "0.99, 4"})
  void estimateIsThePercentile(double share, int seed) {
    Random random = new Random(seed);
    LatencyEstimate estimate = new LatencyEstimate(share);
    long[] latencies = new long[LatencyEstimate.WINDOW - 16];
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = (long) (1_000_000 * Math.exp(random.nextGaussian()));
      estimate.record(latencies[i]);
    }
    Arrays.sort(latencies);
    long exact = latencies[(int) (share * latencies.length)];
    assertEquals(exact, estimate.nanos(), exact * 0.15);
  }

  @Test
  void estimateFollowsAChange() {
    LatencyEstimate estimate = new LatencyEstimate(0.5);
    for (int i = 0; i < 10 * LatencyEstimate.WINDOW; i++) {
      estimate.record(1_000_000);
    }
    for (int i = 0; i < LatencyEstimate.WINDOW; i++) {
      estimate.record(9_000_000);
    }
    assertTrue(estimate.nanos() >= 9_000_000, () -> "estimated " + estimate.nanos());
  }

  @Test
  void longestLatencyCountsToo() {
    LatencyEstimate estimate = new LatencyEstimate(0.5);
    for (int i = 0; i < LatencyEstimate.LEAST; i++) {
      estimate.record(Long.MAX_VALUE);
    }
    assertTrue(estimate.nanos() > 60L * 60 * 1_000_000_000);
  }
}
