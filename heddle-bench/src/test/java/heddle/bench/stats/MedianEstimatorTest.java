package heddle.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.stats.Interval.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MedianEstimatorTest {

  private static final long SEED = 20_261_121;

  /** Ranks and coverage of the exact 95% interval of a median, as tables have them. */
  private static final double[][] TABLE = {
    {6, 1, 0.9688}, {7, 1, 0.9844}, {8, 1, 0.9922}, {9, 2, 0.9609}, {10, 2, 0.9785},
    {11, 2, 0.9883}, {12, 3, 0.9614}, {13, 3, 0.9775}, {14, 3, 0.9871}, {15, 4, 0.9648},
    {16, 4, 0.9787}, {17, 5, 0.9510}, {18, 5, 0.9691}, {19, 5, 0.9808}, {20, 6, 0.9586},
    {25, 8, 0.9567}, {30, 10, 0.9572}, {50, 18, 0.9672},
  };

  @Test
  void ranksAndCoverageAreThoseOfTheTables() {
    for (double[] row : TABLE) {
      int count = (int) row[0];
      assertEquals((int) row[1], MedianEstimator.rank(count), "rank of " + count);
      assertEquals(
          row[2], MedianEstimator.coverage(count, (int) row[1]), 0.00006, "coverage of " + count);
    }
  }

  @Test
  void fewRoundsSayTheWholeRangeWithTheConfidenceThatItHas() {
    double[] expected = {0, 0.5, 0.75, 0.875, 0.9375};
    for (int count = 1; count <= 5; count++) {
      List<Double> values =
          IntStream.rangeClosed(1, count).mapToObj(i -> (double) i).toList();
      Interval interval = MedianEstimator.of(values, SEED).interval();
      assertEquals(
          new Interval(1, count, expected[count - 1], Method.ORDER_STATISTICS),
          rounded(interval),
          "of " + count);
    }
  }

  private static Interval rounded(Interval interval) {
    return new Interval(
        interval.low(),
        interval.high(),
        Math.round(interval.confidence() * 1e9) / 1e9,
        interval.method());
  }

  @Test
  void orderStatisticsHoldTheMedianAsOftenAsTheySayWhateverTheDistribution() {
    for (int count : new int[] {3, 5, 6, 9, 15, 19}) {
      double said = MedianEstimator.coverage(count, MedianEstimator.rank(count));
      double spread = Math.sqrt(said * (1 - said) / 4_000);
      covers(count, 4_000, said - 4 * spread, said + 4 * spread, Random::nextGaussian, 0);
      covers(count, 4_000, said - 4 * spread, said + 4 * spread, Random::nextExponential, LN2);
    }
  }

  @Test
  void bootstrapHoldsTheMedianNearlyAsOftenAsItSays() {
    for (int count : new int[] {20, 41}) {
      covers(count, 200, 0.88, 0.995, Random::nextGaussian, 0);
      covers(count, 200, 0.88, 0.995, Random::nextExponential, LN2);
    }
  }

  @Test
  void bootstrapLeavesAsMuchOutAboveAsBelow() {
    double above = 0;
    double below = 0;
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<Double> values = random.doubles(41, -1, 1).boxed().toList();
      Estimate estimate = MedianEstimator.of(values, seed);
      above += estimate.interval().high() - estimate.median();
      below += estimate.median() - estimate.interval().low();
    }
    assertEquals(1, above / below, 0.25);
  }

  private static final double LN2 = Math.log(2);

  private static void covers(
      int count, int runs, double least, double most, ToDoubleFunction<Random> draw, double truth) {
    Random random = new Random(SEED + count);
    int held = 0;
    for (int i = 0; i < runs; i++) {
      List<Double> values = new ArrayList<>();
      for (int j = 0; j < count; j++) {
        values.add(draw.applyAsDouble(random));
      }
      held += MedianEstimator.of(values, SEED + i).interval().contains(truth) ? 1 : 0;
    }
    double share = (double) held / runs;
    assertTrue(
        share >= least && share <= most,
        "holds the median " + truth + " of " + count + " values in " + share + " of " + runs
            + " runs, not in " + least + " to " + most + "; seed " + (SEED + count));
  }

  @Test
  void equalValuesHaveAnIntervalOfNoWidth() {
    for (int count : new int[] {1, 2, 7, 30}) {
      Estimate estimate = MedianEstimator.of(Collections.nCopies(count, 4.5), SEED);
      assertEquals(4.5, estimate.median());
      assertEquals(4.5, estimate.interval().low());
      assertEquals(4.5, estimate.interval().high());
      assertEquals(count, estimate.count());
    }
    assertEquals(0, MedianEstimator.of(List.of(4.5), SEED).interval().confidence());
  }

  @Test
  void sameSeedGivesTheSameIntervalAndAnotherOneMayNot() {
    Random random = new Random(SEED);
    List<Double> values = random.doubles(50).boxed().toList();
    Interval first = MedianEstimator.of(values, 1).interval();
    assertEquals(Method.BOOTSTRAP, first.method());
    assertEquals(first, MedianEstimator.of(values, 1).interval());
    assertNotEquals(first, MedianEstimator.of(values, 2).interval(), "seed " + SEED);
  }

  @Test
  void medianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
    assertEquals(2, MedianEstimator.median(List.of(3.0, 1.0, 2.0)));
    assertEquals(2.5, MedianEstimator.median(List.of(4.0, 1.0, 3.0, 2.0)));
    assertEquals(0, MedianEstimator.median(List.of(0.0, 0.0, 7.0)));
  }

  @Test
  void noValueAndWhatIsNoNumberAreRefused() {
    for (List<Double> wrong : List.of(
        List.<Double>of(),
        List.of(1.0, Double.NaN),
        List.of(Double.POSITIVE_INFINITY),
        List.of(1.0, Double.NEGATIVE_INFINITY, 2.0))) {
      IllegalArgumentException thrown =
          assertThrows(IllegalArgumentException.class, () -> MedianEstimator.of(wrong, SEED));
      assertTrue(String.valueOf(thrown.getMessage()).contains("no median of"), thrown::toString);
    }
    assertThrows(
        IllegalArgumentException.class, () -> new Interval(2, 1, 0.5, Method.ORDER_STATISTICS));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Interval(Double.NaN, 1, 0.5, Method.ORDER_STATISTICS));
  }
}
