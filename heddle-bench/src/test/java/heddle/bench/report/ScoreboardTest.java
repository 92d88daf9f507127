package heddle.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

class ScoreboardTest {

  private static final CellInfo HTTP1 =
      new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64);
  private static final CellInfo HTTP2 =
      new CellInfo("h2tls-1x100", "HTTP/2", true, 1, 100, "GET", "/hello", 6, LoadKind.CLOSED, 100);
  private static final Design DESIGN = new Design(Method.WARM, "tuned", 5, 1, "heddle", true);
  private static final double[] CALM = {1, 1.01, 0.99, 1.005, 0.995};

  @Test
  void answerIsOneScreenOfEightyColumnsWithTheCheapestFirst() {
    String text = Scoreboard.render(usual());
    List<String> lines = text.lines().toList();
    assertTrue(lines.size() <= 40, text);
    lines.forEach(line -> assertTrue(line.length() <= Scoreboard.WIDTH, line));
    List<String> clients = lines.stream()
        .filter(line -> line.contains("█"))
        .map(line -> line.substring(0, line.indexOf(' ')))
        .toList();
    assertEquals(
        List.of("wrk", "heddle", "netty", "apache", "jdk", "okhttp"), clients.subList(0, 6), text);
    assertTrue(row(text, "heddle").matches("heddle █+ +1 +.*= 8.0 µs .*"), text);
  }

  @Test
  void sentenceNamesTheRangeOfEachClientAndNoTool() {
    String text = Scoreboard.render(usual()).replace("\n", " ");
    assertTrue(
        text.contains("On this machine your client's requests cost 1.00 to 4.00 times the CPU time"
            + " of heddle's: okhttp 3.00 to 4.00, jdk 2.00 to 3.00, apache 1.50, netty 1.00."),
        text);
  }

  @Test
  void clientThatCostsTheSameIsMarkedAndItsBarIsAsLong() {
    List<String> lines = Scoreboard.render(usual()).lines().toList();
    String same =
        lines.stream().filter(line -> line.startsWith("netty")).findFirst().orElseThrow();
    String heddle =
        lines.stream().filter(line -> line.startsWith("heddle")).findFirst().orElseThrow();
    assertTrue(same.contains(" = "), same);
    assertEquals(bar(heddle), bar(same));
  }

  @Test
  void figuresTooFarApartAreNoAnswer() {
    RaceResult noisy = result(List.of(
        measurement(HTTP1, "heddle", 8, 0.02, CALM),
        measurement(HTTP1, "heddle(control)", 8, 0.02, 0.6, 1.5, 1, 1.9, 0.7),
        measurement(HTTP1, "okhttp", 9, 0.02, 0.5, 1.6, 1, 0.8, 1.4)));
    String text = Scoreboard.render(noisy);
    assertTrue(text.contains("This race has not decided what your client's requests cost"), text);
    assertTrue(text.contains("undecided: okhttp in h1-64, its rounds are too far apart\n"), text);
    assertTrue(row(text, "okhttp").contains(" ? "), text);
  }

  @Test
  void threeRoundsBesideAControlOfTwoAreTooFewHoweverCloseTogether() {
    RaceResult few = result(List.of(
        measurement(HTTP1, "heddle", 8, 0.02, 1, 1.01, 0.99),
        measurement(HTTP1, "heddle(control)", 8, 0.02, 1, 1.01),
        measurement(HTTP1, "okhttp", 80, 0.02, 1, 1.01, 0.99)));
    String text = Scoreboard.render(few);
    assertTrue(text.contains("undecided: okhttp in h1-64, too few of its rounds count\n"), text);
    assertTrue(text.contains("This race has not decided"), text);
  }

  @Test
  void figuresTooFarApartCanStillSayWhoIsNotDearerOrNotCheaper() {
    RaceResult noisy = result(List.of(
        measurement(HTTP1, "heddle", 8, 0.02, CALM),
        measurement(HTTP1, "heddle(control)", 8, 0.02, 0.8, 1.3, 1, 1.2, 0.9),
        measurement(HTTP1, "netty", 9, 0.02, 0.9, 1.2, 1, 1.25, 1.1),
        measurement(HTTP1, "wrk", 7, 0, 0.7, 1, 0.9, 1.1, 0.85)));
    String text = Scoreboard.render(noisy);
    assertTrue(row(text, "netty").contains(" ≥ "), text);
    assertTrue(row(text, "wrk").contains(" ≤ "), text);
    assertTrue(text.contains("≤ is less, or no difference: "), text);
    assertTrue(text.contains("≥ is more, or no difference: "), text);
    assertFalse(text.contains("undecided: "), text);
    assertTrue(text.contains("This race has not decided"), text);
  }

  @Test
  void clientWhoseCodeWasStillBeingCompiledGetsNoRatio() {
    RaceResult cold = result(List.of(
        measurement(HTTP1, "heddle", 8, 0.02, CALM),
        measurement(HTTP1, "heddle(control)", 8, 0.02, CALM),
        measurement(HTTP1, "jdk", 80, 0.2, CALM)));
    String text = Scoreboard.render(cold);
    assertTrue(row(text, "jdk").matches("jdk +- .*"), text);
    assertTrue(
        text.contains("not compared: jdk in h1-64, its code was still being compiled"), text);
    assertTrue(text.contains("This race has not decided"), text);
  }

  @Test
  void failuresAndOmissionsTakeALineEachAndNoMoreThanFit() {
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      many.add("h1-64 jetty, round " + i + ": " + "the server closed the connection ".repeat(4));
    }
    RaceResult usual = usual();
    RaceResult failing =
        new RaceResult(usual.environment(), usual.results(), many, List.of("apache in h2: no"));
    String text = Scoreboard.render(failing);
    assertTrue(text.lines().count() <= 40, text);
    text.lines().forEach(line -> assertTrue(line.length() <= Scoreboard.WIDTH, line));
    assertTrue(text.contains("and 23 more: see --verbose"), text);
  }

  @Test
  void raceWithoutTheBaselineOrWithoutAClosedLoadDoesNotSuit() {
    assertTrue(Scoreboard.suits(usual()));
    assertFalse(Scoreboard.suits(result(List.of(measurement(HTTP1, "jdk", 8, 0.02, CALM)))));
    CellInfo open =
        new CellInfo("paced", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.OPEN, 64);
    assertFalse(Scoreboard.suits(result(List.of(measurement(open, "heddle", 8, 0.02, CALM)))));
    assertFalse(Scoreboard.suits(result(List.of(
        measurement(HTTP1, "heddle", 8, 0.02, CALM), measurement(open, "heddle", 8, 0.02, CALM)))));
  }

  private static String row(String text, String client) {
    return text.lines()
        .filter(line -> line.startsWith(client + " "))
        .findFirst()
        .orElseThrow();
  }

  private static long bar(String line) {
    return line.chars().filter(c -> c == '█').count();
  }

  private static RaceResult usual() {
    return result(List.of(
        measurement(HTTP1, "heddle", 8, 0.02, CALM),
        measurement(HTTP1, "apache", 12, 0.02, CALM),
        measurement(HTTP1, "jdk", 16, 0.05, CALM),
        measurement(HTTP1, "netty", 8, 0.02, CALM),
        measurement(HTTP1, "okhttp", 24, 0.02, CALM),
        measurement(HTTP1, "wrk", 6, 0, CALM),
        measurement(HTTP1, "heddle(control)", 8, 0.02, 1.02, 0.98, 1, 1.01, 0.99),
        measurement(HTTP2, "heddle", 5, 0.02, CALM),
        measurement(HTTP2, "jdk", 15, 0.02, CALM),
        measurement(HTTP2, "okhttp", 20, 0.02, CALM),
        measurement(HTTP2, "heddle(control)", 5, 0.02, 1.02, 0.98, 1, 1.01, 0.99)));
  }

  private static RaceResult result(List<Measurement> measurements) {
    Environment environment = new Environment(
        "2026-01-02T03:04:05Z",
        "OpenJDK 25",
        "Linux 6",
        "some processor",
        2,
        "0",
        "1",
        List.of(),
        Map.of(),
        Map.of("HTTP/1.1", "heddle serve"),
        DESIGN,
        215);
    return new RaceResult(environment, Effects.of(measurements, DESIGN), List.of(), List.of());
  }

  private static Measurement measurement(
      CellInfo cell, String client, double cpu, double compiling, double... rounds) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < rounds.length; i++) {
      Map<Figure, Double> figures = Map.of(
          Figure.CPU,
          cpu * rounds[i],
          Figure.COMPILING,
          compiling,
          Figure.RATE,
          1e6 / cpu,
          Figure.P99,
          9_000.0,
          Figure.PEAK_RSS,
          100.0 * (1 << 20),
          Figure.THREADS,
          12.0);
      runs.add(new Run(i + 1, new RunFigures(figures, Map.of()), new Soundness.Valid()));
    }
    return Medians.of(cell, client, runs);
  }
}
