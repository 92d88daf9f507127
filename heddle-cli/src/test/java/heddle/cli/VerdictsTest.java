package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictsTest {

  private static final Soundness VALID = new Soundness.Valid();

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @Test
  void raceThatReachesItsGoalsEndsWell() throws IOException {
    assertEquals(0, exitCode(race(VALID), "ratio(heddle/okhttp,cpu)<0.5"));
    assertEquals("h1-64: ratio(heddle/okhttp,cpu)<0.5 met: 0.250\n", said());
    assertEquals(0, exitCode(race(VALID)));
  }

  @Test
  void missedGoalIs99() throws IOException {
    assertEquals(
        99, exitCode(race(VALID), "ratio(heddle/okhttp,cpu)<0.5", "ratio(heddle/okhttp,cpu)<0.2"));
  }

  @Test
  void doubtfulFiguresAre98AndSaidIfThereAreGoals() throws IOException {
    RaceResult stolen = race(new Soundness.Invalid(List.of("all was stolen")));
    assertEquals(0, exitCode(stolen));
    assertEquals("", said());
    assertEquals(98, exitCode(stolen, "ratio(heddle/okhttp,cpu)<0.5"));
    assertTrue(said().endsWith("not to be trusted: okhttp in h1-64: round 1: all was stolen\n"));
    assertEquals(98, exitCode(stolen, "ratio(heddle/okhttp,cpu)<0.2"));
  }

  private int exitCode(RaceResult result, String... goals) throws IOException {
    said.reset();
    return Verdicts.of(
        result,
        List.of(goals).stream().map(Slo::parse).toList(),
        new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  private static RaceResult race(Soundness ofOkHttp) {
    Environment environment = new Environment(
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
        new Design(Method.WARM, "tuned", 1, 1, "heddle", false),
        1);
    return new RaceResult(
        environment,
        List.of(client("heddle", 10, VALID), client("okhttp", 40, ofOkHttp)),
        List.of(),
        List.of());
  }

  private static Measurement client(String name, double cpu, Soundness soundness) {
    RunFigures figures = new RunFigures(Map.of(Figure.CPU, cpu), Map.of());
    return Medians.of(
        new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64),
        name,
        List.of(new Run(1, figures, soundness)));
  }
}
