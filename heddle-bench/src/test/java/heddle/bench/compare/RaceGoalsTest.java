package heddle.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
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
import heddle.load.goal.Slo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RaceGoalsTest {

  private static final RaceResult RESULT = new RaceResult(
      new Environment(
          "2026-01-02T03:04:05Z",
          "",
          "",
          "",
          2,
          "",
          "",
          List.of(),
          Map.of(),
          Map.of(),
          new Design(Method.WARM, "tuned", 3, 1, "heddle", false),
          1),
      List.of(
          client("h1-64", "heddle", 10, 20, 30),
          client("h1-64", "okhttp", 40, 50, 60),
          client("h2-1x100", "heddle", 10, 20, 30),
          client("h2-1x100", "okhttp", 10, 20, 30)),
      List.of(),
      List.of());

  @Test
  void goalMustHoldInEachCellThatBothHaveRun() {
    assertEquals(
        List.of(
            "h1-64: ratio(heddle/okhttp,cpu)<0.5 met: 0.400",
            "h2-1x100: ratio(heddle/okhttp,cpu)<0.5 missed: 1.000"),
        check("ratio(heddle/okhttp,cpu)<0.5"));
  }

  @Test
  void goalForOneCellLooksAtThatAlone() {
    assertEquals(
        List.of("h1-64: ratio(okhttp/heddle, cpuMicrosPerRequest, h1-64) >= 2.5 met: 2.500"),
        check("ratio(okhttp/heddle, cpuMicrosPerRequest, h1-64) >= 2.5"));
  }

  @Test
  void goalMayBeForAClientThatTakesPartInOneOfItsWays() {
    assertEquals(
        Set.of("okhttp@pool:200", "heddle on a pool of 200"),
        Set.copyOf(RaceGoals.clients(
            List.of(Slo.parse("ratio(okhttp@pool:200 / heddle on a pool of 200, cpu) < 2")))));
  }

  @Test
  void goalOfWhichNothingWasMeasuredIsMissed() {
    assertEquals(
        List.of("ratio(heddle/jetty,cpu)<9 missed: nothing was measured"),
        check("ratio(heddle/jetty,cpu)<9"));
    assertEquals(
        List.of("h1-64: ratio(heddle/okhttp,rss,h1-64)<9 missed: nothing was measured"),
        check("ratio(heddle/okhttp,rss,h1-64)<9"));
  }

  @Test
  void clientsOfGoalsAreKnownBeforeTheRace() {
    List<Slo> goals = goals("ratio(heddle/okhttp,cpu)<1", "ratio(jetty/heddle,p99)<2");
    assertEquals(Set.of("heddle", "okhttp", "jetty"), RaceGoals.clients(goals));
  }

  @Test
  void whatIsNoGoalOfARaceIsRefusedWithWhatIs() {
    for (String wrong : List.of(
        "p99<50ms",
        "ratio(heddle,cpu)<1",
        "ratio(heddle/okhttp,mood)<1",
        "ratio(heddle/okhttp,cpu)<1ms")) {
      IllegalArgumentException thrown =
          assertThrows(IllegalArgumentException.class, () -> RaceGoals.require(goals(wrong)));
      assertTrue(String.valueOf(thrown.getMessage()).contains(wrong), thrown::toString);
    }
    RaceGoals.require(goals("ratio(heddle/okhttp,alloc)<1"));
    RaceGoals.require(goals("ratio(heddle/okhttp,max)<1", "ratio(heddle/okhttp,heldrss,held)<1"));
  }

  private static List<String> check(String goal) {
    return RaceGoals.check(goals(goal), RESULT).stream()
        .map(RaceGoals.Reached::toString)
        .toList();
  }

  private static List<Slo> goals(String... texts) {
    return List.of(texts).stream().map(Slo::parse).toList();
  }

  private static Measurement client(String cell, String name, double... cpu) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < cpu.length; i++) {
      RunFigures figures = new RunFigures(Map.of(Figure.CPU, cpu[i]), Map.of());
      runs.add(new Run(i + 1, figures, new Soundness.Valid()));
    }
    return Medians.of(
        new CellInfo(cell, "HTTP", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64),
        name,
        runs);
  }
}
