package heddle.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.compare.BuildComparison.CellVerdict;
import heddle.bench.compare.BuildComparison.Outcome;
import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Effects;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BuildComparisonTest {

  private static final String OTHER = "heddle@before";
  private static final double[] MINE = {100, 100, 100, 100, 100};
  private static final double[] CONTROL = {97, 99, 100, 101, 103};

  @Test
  void buildThatLiesWithinTheControlIsNoDifferent() {
    CellVerdict verdict = verdict(CONTROL, 98, 99, 101, 102, 104);
    assertEquals(Outcome.NO_DIFFERENCE, verdict.outcome());
    assertEquals("no difference seen (within the control's spread of 3.1%)", verdict.words());
  }

  @Test
  void buildWhoseWholeIntervalIsBeyondTheControlIsCheaperOrDearer() {
    CellVerdict cheaper = verdict(CONTROL, 108, 109, 110, 111, 112);
    assertEquals("this build is cheaper by 9.1%", cheaper.words());
    CellVerdict dearer = verdict(CONTROL, 88, 89, 90, 91, 92);
    assertEquals("this build is dearer by 11.1%", dearer.words());
  }

  @Test
  void buildBesideAWideControlIsTooNoisyToSay() {
    double[] wide = {80, 90, 100, 110, 125};
    assertEquals(Outcome.TOO_NOISY, verdict(wide, 98, 99, 101, 102, 104).outcome());
    assertEquals("too noisy to say", verdict(wide, 80, 85, 90, 95, 99).words());
  }

  @Test
  void buildThatIsPartlyBeyondTheControlIsTooNoisyToSay() {
    assertEquals(Outcome.TOO_NOISY, verdict(CONTROL, 102, 103, 105, 106, 107).outcome());
  }

  @Test
  void tooFewRoundsOrNoControlAreTooNoisyToSay() {
    assertEquals(Outcome.TOO_NOISY, verdict(CONTROL, 110, 111).outcome());
    double[] twice = {100, 100};
    assertEquals(Outcome.TOO_NOISY, verdict(twice, 110, 110, 110, 110, 110).outcome());
    BuildComparison alone = comparison(client("heddle", MINE), client(OTHER, MINE));
    assertEquals(Outcome.TOO_NOISY, alone.verdicts().getFirst().outcome());
    assertTrue(alone.render().contains("this build / itself  no round"), alone::render);
  }

  @Test
  void dearerCountsOnlyBeyondTheNoise() {
    assertTrue(comparison(CONTROL, 88, 89, 90, 91, 92).isDearerThan(11));
    assertFalse(comparison(CONTROL, 88, 89, 90, 91, 92).isDearerThan(12));
    assertFalse(comparison(CONTROL, 97, 98, 99, 100, 101).isDearerThan(0));
    assertFalse(comparison(CONTROL, 110, 111, 112, 113, 114).isDearerThan(0));
  }

  @Test
  void textHasBothRatiosWithTheirIntervals() {
    String text = comparison(CONTROL, 108, 109, 110, 111, 112).render();
    assertTrue(text.contains("h1-64: this build is cheaper by 9.1%\n"), text);
    assertTrue(
        text.contains("  heddle@before / this build  1.100 (1.080 to 1.120, 94% over 5 rounds)"),
        text);
    assertTrue(text.contains("  this build / itself  1.000 (0.970 to 1.030"), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
  }

  private static CellVerdict verdict(double[] control, double... other) {
    return comparison(control, other).verdicts().getFirst();
  }

  private static BuildComparison comparison(double[] control, double... other) {
    return comparison(
        client("heddle", MINE), client(OTHER, other), client("heddle(control)", control));
  }

  private static BuildComparison comparison(Measurement... measurements) {
    Design design = new Design(Method.FRESH, "tuned", 5, 1, "heddle", true);
    Environment environment = new Environment(
        "2026-01-02T03:04:05Z", "", "", "", 2, "", "", List.of(), Map.of(), Map.of(), design, 1);
    List<Measurement> compared = Effects.of(List.of(measurements), design);
    return new BuildComparison(new RaceResult(environment, compared, List.of(), List.of()), OTHER);
  }

  private static Measurement client(String name, double... cpu) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < cpu.length; i++) {
      RunFigures figures = new RunFigures(Map.of(Figure.CPU, cpu[i]), Map.of());
      runs.add(new Run(i + 1, figures, new Soundness.Valid()));
    }
    return Medians.of(
        new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64),
        name,
        runs);
  }
}
