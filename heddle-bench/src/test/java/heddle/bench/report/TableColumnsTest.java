package heddle.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.bench.result.FailedRequests;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Recording;
import heddle.bench.result.Recordings;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableColumnsTest {

  private static final Environment ENVIRONMENT = new Environment(
      "2026-01-02T03:04:05Z",
      "OpenJDK 25",
      "Linux 6",
      "CPU",
      2,
      "0",
      "1",
      List.of(),
      Map.of(),
      Map.of(),
      new Design(Method.WARM, "tuned", 2, 1, "heddle", false),
      1);

  /** All figures, each with a different value. */
  private static Map<Figure, Double> everything() {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      figures.put(figure, 1_000.0 * (1 + figures.size()));
    }
    return figures;
  }

  private static String table(LoadKind kind, Map<Figure, Double> figures, Recording... recordings) {
    CellInfo cell = new CellInfo("cell", "HTTP/1.1", false, 4, 1, "GET", "/", 6, kind, 500);
    List<Run> runs = new ArrayList<>();
    for (Recording each : recordings) {
      RunFigures own = new RunFigures(figures, Map.of());
      runs.add(new Run(runs.size() + 1, own, new Soundness.Valid(), each));
    }
    return TableReport.render(new RaceResult(
        ENVIRONMENT, List.of(Medians.of(cell, "heddle", runs)), List.of(), List.of()));
  }

  private static List<String> columns(LoadKind kind, Map<Figure, Double> figures) {
    String head = table(kind, figures, Recording.NONE)
        .lines()
        .filter(line -> line.startsWith("client"))
        .findFirst()
        .orElseThrow();
    return List.of(head.strip().split(" {2,}", -1));
  }

  @Test
  void eachKindOfLoadShowsItsOwnColumns() {
    List<String> closed = columns(LoadKind.CLOSED, everything());
    assertTrue(closed.containsAll(List.of("req/s", "p50 µs", "p99 µs", "B/req")), closed::toString);
    assertFalse(closed.contains("held") || closed.contains("handed/s"), closed::toString);
    assertEquals(
        List.of(
            "client",
            "req/s",
            "lag ms",
            "mean ms",
            "p99 ms",
            "max ms",
            "dropped",
            "CPU µs/req",
            "CPU µs/MiB",
            "B/req",
            "heap MiB",
            "avg heap MiB",
            "RSS MiB",
            "threads",
            "conns",
            "errors"),
        columns(LoadKind.OPEN, everything()));
    List<String> batches = columns(LoadKind.BATCH, everything());
    assertEquals(List.of("client", "req/s", "handed/s", "mean ms"), batches.subList(0, 4));
    assertTrue(
        batches.containsAll(List.of("handing ms", "batch ms", "served at once")),
        batches::toString);
    List<String> held = columns(LoadKind.HELD, everything());
    assertEquals(List.of("client", "held", "at end", "after s"), held.subList(0, 4));
    assertTrue(held.containsAll(List.of("heap B/held", "RSS B/held", "threads")), held::toString);
    assertFalse(held.contains("req/s"), held::toString);
  }

  @Test
  void firstRequestsAndServersShowWhatIsTheirs() {
    assertEquals(
        List.of("client", "first ms", "of it main ms", "CPU ms", "classes", "RSS MiB", "threads"),
        columns(LoadKind.FIRST, everything()).subList(0, 7));
    assertEquals(
        List.of("client", "req/s", "p50 µs", "p99 µs", "heap MiB", "peak MiB", "reserved MiB"),
        columns(LoadKind.SERVED, everything()).subList(0, 7));
    String served = table(LoadKind.SERVED, everything(), Recording.NONE);
    assertTrue(served.contains("Servers are compared"), served);
  }

  @Test
  void figureThatNoClientHasIsNoColumn() {
    Map<Figure, Double> figures = everything();
    figures.remove(Figure.DROPPED);
    figures.remove(Figure.MEAN_HEAP);
    List<String> open = columns(LoadKind.OPEN, figures);
    assertFalse(open.contains("dropped") || open.contains("avg heap MiB"), open::toString);
    assertTrue(open.contains("max ms"), open::toString);
  }

  @Test
  void cellSaysWhatWasAsked() {
    Map<Figure, Double> figures = everything();
    figures.put(Figure.ASKED_RATE, 10_000.0);
    String open = table(LoadKind.OPEN, figures, Recording.NONE);
    assertTrue(open.contains("GET /, 10,000 asked a second, 4 connections"), open);
    String batches = table(LoadKind.BATCH, figures, Recording.NONE);
    assertTrue(batches.contains("GET /, batches of 500,"), batches);
    assertTrue(batches.contains("is not a throughput"), batches);
  }

  @Test
  void failuresAreToldByCauseOverAllRounds() {
    Failure refused =
        new Failure(FailureKind.REFUSED, "connect", "ConnectException", "no\n" + "x".repeat(200));
    Failure status = new Failure(FailureKind.STATUS, "", "status 503", "");
    Recording first = Recordings.failed(List.of(new FailedRequests(3, refused)), List.of());
    Recording second = Recordings.failed(
        List.of(new FailedRequests(4, status), new FailedRequests(2_000, refused)),
        List.of("5 of 9 requests were held at most: 4 failed"));
    String table = table(LoadKind.CLOSED, everything(), first, second);
    String causes = "heddle: 2,003 failed in the phase connect: refused, ConnectException, such as"
        + " no " + "x".repeat(117) + " …\n"
        + "heddle: 4 failed: status 503\n"
        + "heddle: 5 of 9 requests were held at most: 4 failed\n";
    assertTrue(table.contains(causes), table);
  }
}
