package heddle.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EffectsTest {

  private static final CellInfo CELL =
      new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64);
  private static final Design DESIGN = new Design(Method.FRESH, "tuned", 5, 1, "heddle", true);
  private static final Measurement HEDDLE = client("heddle", 10, 12, 11, 14, 10);

  @Test
  void ratiosArePairedByRoundSoThatTheMachinesMoodGoesOut() {
    List<Measurement> found = Effects.of(
        List.of(
            HEDDLE,
            client("heddle(control)", 10.1, 12.3, 10.8, 14, 10.2),
            client("twice", 20, 24, 22, 28, 20)),
        DESIGN);
    assertEquals(List.of(), found.getFirst().effects());
    Effect twice = cpu(found.getLast());
    assertEquals(2, twice.ratio().median());
    assertEquals(2, twice.ratio().interval().low());
    assertEquals(2, twice.ratio().interval().high());
    assertEquals("slower", twice.label());
    assertNotNull(twice.resolution());
    assertEquals(0.025, twice.resolution().share(), 1e-9);
    assertInstanceOf(Verdict.NoDifference.class, cpu(found.get(1)).verdict());
  }

  @Test
  void roundThatDoesNotCountIsInNoMedianAndInNoRatio() {
    List<Run> runs = new ArrayList<>(client("other", 5, 6, 5.5, 7, 5).runs());
    RunFigures absurd = new RunFigures(Map.of(Figure.CPU, 900.0), Map.of());
    runs.set(3, new Run(4, absurd, new Soundness.Invalid(List.of("it counted wrongly"))));
    Measurement other = Medians.of(CELL, "other", runs);
    assertEquals(5.25, other.of(Figure.CPU));
    assertEquals(List.of("round 4: it counted wrongly"), other.soundness().reasons());
    assertInstanceOf(Soundness.Noisy.class, other.soundness());
    Effect effect = cpu(Effects.of(List.of(HEDDLE, other), DESIGN).getLast());
    assertEquals(4, effect.ratio().count());
    assertEquals(0.5, effect.ratio().median());
  }

  @Test
  void clientWithoutARoundThatCountsHasNoFiguresAndIsDoubted() {
    RunFigures figures = new RunFigures(Map.of(Figure.CPU, 9.0), Map.of());
    Measurement lost = Medians.of(
        CELL, "lost", List.of(new Run(1, figures, new Soundness.Invalid(List.of("stolen")))));
    assertNull(lost.of(Figure.CPU));
    assertInstanceOf(Soundness.Invalid.class, lost.soundness());
    RaceResult result = result(List.of(HEDDLE, lost));
    assertEquals(List.of("lost in h1-64: round 1: stolen"), result.doubts());
  }

  @Test
  void machineThatWasDisturbedMostOfTheTimeMakesTheRaceDoubtful() {
    List<Run> runs = new ArrayList<>();
    for (Run run : HEDDLE.runs()) {
      Soundness soundness =
          run.round() <= 3 ? new Soundness.Noisy(List.of("steal")) : new Soundness.Valid();
      runs.add(new Run(run.round(), run.figures(), soundness));
    }
    RaceResult result = result(List.of(Medians.of(CELL, "heddle", runs)));
    assertEquals(List.of("3 of 5 runs were disturbed by the machine"), result.doubts());
    assertEquals(List.of(), result(List.of(HEDDLE)).doubts());
  }

  @Test
  void runsAreComparedAsLongAsCompilersTookATenthOfThemOnAverage() {
    assertEquals(5, compared(Method.WARM, 0.2, 0.05, 0.05, 0.15, 0.05));
    assertEquals(4, compared(Method.WARM, 0.21, 0.05, 0.05, 0.15, 0.05));
    assertEquals(2, compared(Method.WARM, 0.29, 0.29, 0.05, 0.29, 0.15));
    assertEquals(0, compared(Method.WARM, 0.11, 0.2, 0.11, 0.2, 0.11));
  }

  @Test
  void runThatWasMostlyCompiledIsNotComparedEvenAmongWarmOnes() {
    assertEquals(5, compared(Method.WARM, 0.3, 0, 0, 0, 0));
    assertEquals(4, compared(Method.WARM, 0.31, 0, 0, 0, 0));
  }

  @Test
  void runsInFreshJvmsAreAllCompared() {
    assertEquals(5, compared(Method.FRESH, 0.9, 0.9, 0.9, 0.9, 0.9));
  }

  @Test
  void runThatDoesNotCountDoesNotMakeOthersWarm() {
    List<Run> runs = new ArrayList<>();
    for (Run each : compiling(0.12, 0.02, 0.12).runs()) {
      Soundness soundness =
          each.round() == 2 ? new Soundness.Invalid(List.of("stolen")) : new Soundness.Valid();
      runs.add(new Run(each.round(), each.figures(), soundness));
    }
    assertEquals(List.of(), WarmRuns.of(runs));
  }

  @Test
  void controlOfLessThanThreeRoundsShowsNoResolution() {
    Measurement other = client("other", 20, 24, 22, 28, 20);
    Effect without =
        cpu(Effects.of(List.of(HEDDLE, client("heddle(control)", 10, 12), other), DESIGN)
            .get(2));
    assertNull(without.resolution());
    Effect with =
        cpu(Effects.of(List.of(HEDDLE, client("heddle(control)", 10, 12, 11), other), DESIGN)
            .get(2));
    assertNotNull(with.resolution());
  }

  @Test
  void withoutTheBaselineThereIsNothingToCompare() {
    Measurement alone = client("other", 5, 6, 5.5, 7, 5);
    assertEquals(List.of(alone), Effects.of(List.of(alone), DESIGN));
  }

  @Test
  void keysOfFiguresFindThem() {
    for (Figure figure : Figure.values()) {
      assertEquals(figure, Figure.find(figure.key()));
      assertTrue(!figure.isTimed() || figure.isCompared(), figure::key);
    }
    assertNull(Figure.find("mood"));
  }

  private static RaceResult result(List<Measurement> measurements) {
    Environment environment = new Environment(
        "2026-01-02T03:04:05Z", "", "", "", 2, "", "", List.of(), Map.of(), Map.of(), DESIGN, 1);
    return new RaceResult(environment, measurements, List.of(), List.of());
  }

  /** How many of the runs are compared. */
  private static int compared(Method method, double... compiling) {
    Design design = new Design(method, "tuned", 5, 1, "heddle", true);
    Effect effect =
        Effects.of(List.of(HEDDLE, compiling(compiling)), design).getLast().effect(Figure.CPU);
    return effect == null ? 0 : effect.ratio().count();
  }

  /** A client by the share of its compilers in each round. */
  private static Measurement compiling(double... shares) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < shares.length; i++) {
      RunFigures figures =
          new RunFigures(Map.of(Figure.CPU, 20.0, Figure.COMPILING, shares[i]), Map.of());
      runs.add(new Run(i + 1, figures, new Soundness.Valid()));
    }
    return Medians.of(CELL, "other", runs);
  }

  private static Effect cpu(Measurement measurement) {
    Effect effect = measurement.effect(Figure.CPU);
    assertNotNull(effect);
    return effect;
  }

  private static Measurement client(String name, double... cpu) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < cpu.length; i++) {
      RunFigures figures = new RunFigures(Map.of(Figure.CPU, cpu[i]), Map.of());
      runs.add(new Run(i + 1, figures, new Soundness.Valid()));
    }
    return Medians.of(CELL, name, runs);
  }
}
