package heddle.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.stats.Interval.Method;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JudgeTest {

  private static final long SEED = 20_261_121;
  private static final Resolution FIVE_PERCENT = new Resolution(1.05);

  @Test
  void intervalBeyondTheResolutionIsBetterOrWorseAsTheFigureHasIt() {
    Verdict less = Judge.of(ratio(0.5, 0.45, 0.6), FIVE_PERCENT, false);
    assertEquals(
        new Verdict.Better("0.500 (0.450 to 0.600, 94% over 5 rounds); the resolution is 5.0%"),
        less);
    assertInstanceOf(Verdict.Worse.class, Judge.of(ratio(0.5, 0.45, 0.6), FIVE_PERCENT, true));
    assertInstanceOf(Verdict.Worse.class, Judge.of(ratio(1.2, 1.1, 1.3), FIVE_PERCENT, false));
    assertInstanceOf(Verdict.Better.class, Judge.of(ratio(1.2, 1.1, 1.3), FIVE_PERCENT, true));
  }

  @Test
  void intervalWithinTheResolutionIsNoDifference() {
    assertInstanceOf(
        Verdict.NoDifference.class, Judge.of(ratio(1.02, 1.01, 1.04), FIVE_PERCENT, true));
    assertInstanceOf(Verdict.NoDifference.class, Judge.of(ratio(1, 1, 1), FIVE_PERCENT, true));
  }

  @Test
  void intervalAcrossTheResolutionIsTooNoisy() {
    assertInstanceOf(Verdict.TooNoisy.class, Judge.of(ratio(1.1, 1.01, 1.2), FIVE_PERCENT, true));
    assertInstanceOf(Verdict.TooNoisy.class, Judge.of(ratio(1, 0.5, 2), FIVE_PERCENT, true));
  }

  @Test
  void machineThatResolvesNothingCallsNothingAlike() {
    Resolution coarse = new Resolution(1.6);
    assertInstanceOf(Verdict.TooNoisy.class, Judge.of(ratio(1.1, 1, 1.2), coarse, true));
    assertInstanceOf(Verdict.Worse.class, Judge.of(ratio(3, 2.5, 3.5), coarse, false));
  }

  @Test
  void oneRoundSaysNothingHoweverFarApart() {
    Estimate one = MedianEstimator.of(List.of(9.0), SEED);
    for (Verdict verdict : List.of(Judge.of(one, FIVE_PERCENT, true), Judge.of(one, null, true))) {
      assertTrue(
          verdict instanceof Verdict.TooNoisy(String reason) && reason.contains("rounds"),
          verdict::toString);
    }
  }

  @Test
  void besideAControlItTakesThreeRounds() {
    Estimate three = MedianEstimator.of(List.of(2.0, 2.1, 2.2), SEED);
    assertInstanceOf(Verdict.Worse.class, Judge.of(three, FIVE_PERCENT, false));
    Estimate two = MedianEstimator.of(List.of(2.0, 2.1), SEED);
    assertInstanceOf(Verdict.TooNoisy.class, Judge.of(two, FIVE_PERCENT, false));
  }

  @Test
  void withoutAControlItTakesFiveRounds() {
    Estimate four = MedianEstimator.of(List.of(2.0, 2.1, 2.2, 2.3), SEED);
    Verdict verdict = Judge.of(four, null, false);
    assertTrue(verdict.reason().contains("without a control it takes five"), verdict::reason);
    assertInstanceOf(Verdict.TooNoisy.class, verdict);
    Estimate five = MedianEstimator.of(List.of(2.0, 2.1, 2.2, 2.3, 2.4), SEED);
    assertInstanceOf(Verdict.Worse.class, Judge.of(five, null, false));
  }

  @Test
  void clientsThatAreAlikeAreRarelyToldApart() {
    for (int rounds : new int[] {3, 5, 9, 20}) {
      double share = shareOfDifferences(rounds, 1, rounds < 20 ? 1_500 : 60);
      assertTrue(share <= 0.05, share + " of pairs over " + rounds + " rounds; seed " + SEED);
    }
  }

  @Test
  void clearDifferenceIsSeenInFiveRounds() {
    double share = shareOfDifferences(5, 2, 500);
    assertTrue(share >= 0.97, share + " of pairs; seed " + SEED);
  }

  /** With a noise of 8% in each figure, and another of 20% that a round's clients share. */
  private static double shareOfDifferences(int rounds, double factor, int races) {
    Random random = new Random(SEED);
    int differences = 0;
    for (int race = 0; race < races; race++) {
      Map<Integer, Double> baseline = new HashMap<>();
      Map<Integer, Double> control = new HashMap<>();
      Map<Integer, Double> client = new HashMap<>();
      for (int round = 1; round <= rounds; round++) {
        double machine = Math.exp(0.2 * random.nextGaussian());
        baseline.put(round, machine * Math.exp(0.08 * random.nextGaussian()));
        control.put(round, machine * Math.exp(0.08 * random.nextGaussian()));
        client.put(round, factor * machine * Math.exp(0.08 * random.nextGaussian()));
      }
      Estimate itself = MedianEstimator.of(Ratios.paired(control, baseline), SEED);
      Estimate ratio = MedianEstimator.of(Ratios.paired(client, baseline), SEED);
      Verdict verdict = Judge.of(ratio, Resolution.of(itself), false);
      boolean differs = verdict instanceof Verdict.Better || verdict instanceof Verdict.Worse;
      differences += differs ? 1 : 0;
    }
    return (double) differences / races;
  }

  @Test
  void resolutionIsHowFarTheControlStraysToEitherSide() {
    assertEquals(1.25, Resolution.of(ratio(0.9, 0.8, 1.1)).factor(), 1e-12);
    assertEquals(1.5, Resolution.of(ratio(1.1, 0.9, 1.5)).factor(), 1e-12);
    assertEquals(1, Resolution.of(ratio(1, 1, 1)).factor());
    assertEquals(0.5, Resolution.of(ratio(1.1, 0.9, 1.5)).or(FIVE_PERCENT).share(), 1e-12);
    assertThrows(IllegalArgumentException.class, () -> new Resolution(0.9));
    assertThrows(IllegalArgumentException.class, () -> new Resolution(Double.NaN));
  }

  @Test
  void roundsThatOneOfTheTwoLacksHaveNoRatio() {
    Map<Integer, Double> client = Map.of(1, 2.0, 2, 0.0, 3, 6.0, 4, Double.NaN, 6, 1.0);
    Map<Integer, Double> baseline = Map.of(1, 1.0, 2, 1.0, 3, 2.0, 4, 1.0, 5, 1.0, 6, 0.0);
    assertEquals(List.of(2.0, 3.0), Ratios.paired(client, baseline));
    assertEquals(List.of(), Ratios.paired(Map.of(), baseline));
  }

  @Test
  void ratioOfTwoRacesHasTheWidestEndsAndTheConfidenceThatBothLeave() {
    Estimate above = MedianEstimator.of(List.of(10.0, 11.0, 12.0, 13.0, 14.0), SEED);
    Estimate below = MedianEstimator.of(List.of(5.0, 5.0, 6.0, 6.0, 7.0), SEED);
    Estimate ratio = Ratios.unpaired(above, below);
    assertEquals(2, ratio.median());
    assertEquals(10.0 / 7, ratio.interval().low());
    assertEquals(14.0 / 5, ratio.interval().high());
    assertEquals(0.875, ratio.interval().confidence(), 1e-9);
    Estimate one = MedianEstimator.of(Collections.nCopies(1, 3.0), SEED);
    assertEquals(0, Ratios.unpaired(one, one).interval().confidence());
  }

  private static Estimate ratio(double median, double low, double high) {
    return new Estimate(median, new Interval(low, high, 0.9375, Method.ORDER_STATISTICS), 5);
  }
}
