package heddle.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import heddle.bench.result.Recordings;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Series;
import heddle.bench.result.Soundness;
import heddle.bench.result.Story;
import heddle.load.cluster.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportsTest {

  private static final CellInfo SMALL =
      new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64);
  private static final CellInfo LARGE = new CellInfo(
      "post-1m-h2tls", "HTTP/2", true, 4, 2, "POST", "/sink", 1 << 20, LoadKind.CLOSED, 4);
  private static final Measurement HEDDLE =
      measurement("heddle", 40_000, Map.of(), 10.0, 1_024.0, 8L << 20, 10);
  private static final Measurement OTHER =
      measurement("<b>other</b>", 10_000, Map.of("IOException", 3L), 40.0, 10_240.0, 16L << 20, 30);
  private static final Measurement WRK =
      measurement("wrk", 50_000, Map.of(), 8.0, null, null, null);
  private static final RaceResult RESULT = new RaceResult(
      new Environment(
          "2026-01-02T03:04:05Z",
          "OpenJDK 25",
          "Linux 6",
          "A & B",
          2,
          "0",
          "1",
          List.of("-Xmx512m"),
          Map.of("okhttp", "5"),
          Map.of("HTTP/2 over TLS", "nghttpd"),
          new Design(Method.WARM, "tuned", 2, 1, "heddle", false),
          99.5),
      List.of(HEDDLE, OTHER, WRK),
      List.of("h1-64 jetty, round 1: exit code 1"),
      List.of("apache in h2-1x100: no HTTP/2"));

  @TempDir
  private Path folder = Path.of("");

  private static Measurement measurement(
      String client,
      double rate,
      Map<String, Long> errors,
      @Nullable Double cpu,
      @Nullable Double allocated,
      @Nullable Long heap,
      @Nullable Integer threads) {
    return measurement(SMALL, client, rate, errors, cpu, allocated, heap, threads, 64);
  }

  private static Measurement measurement(
      CellInfo cell,
      String client,
      double rate,
      Map<String, Long> errors,
      @Nullable Double cpu,
      @Nullable Double allocated,
      @Nullable Long heap,
      @Nullable Integer threads,
      int open) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.RATE, rate);
    figures.put(Figure.P50, 1_500.0);
    figures.put(Figure.P99, 9_000.0);
    figures.put(Figure.COMPILING, client.contains("other") ? 0.18 : 0.04);
    figures.put(Figure.CONNECTIONS, (double) open);
    figures.put(Figure.KEPT, 0.93);
    put(figures, Figure.CPU, cpu);
    put(figures, Figure.ALLOCATED, allocated);
    put(figures, Figure.PEAK_HEAP, heap);
    put(figures, Figure.HEAP_AFTER_GC, heap);
    put(figures, Figure.PEAK_RSS, heap);
    put(figures, Figure.THREADS, threads);
    RunFigures failing = new RunFigures(figures, errors);
    RunFigures other = new RunFigures(figures, Map.of());
    return Medians.of(
        cell,
        client,
        List.of(
            new Run(1, failing, new Soundness.Valid()),
            new Run(2, other, new Soundness.Noisy(List.of("a \"loud\", loud day")))));
  }

  private static void put(Map<Figure, Double> figures, Figure figure, @Nullable Number value) {
    if (value != null) {
      figures.put(figure, value.doubleValue());
    }
  }

  @Test
  @SuppressWarnings("unchecked") // the JSON's shape is what the test checks
  void jsonHasAnObjectForEachCellAndClient() throws Exception {
    Map<String, Object> json = Json.object(JsonReport.render(RESULT));
    List<Map<String, Object>> results = (List<Map<String, Object>>) json.get("results");
    assertEquals(3, results.size());
    Map<String, Object> heddle = results.getFirst();
    assertEquals("h1-64", ((Map<String, Object>) heddle.get("cell")).get("name"));
    assertEquals("heddle", heddle.get("client"));
    Map<String, Object> medians = (Map<String, Object>) heddle.get("medians");
    assertEquals(40_000.0, medians.get("requestsPerSecond"));
    assertEquals(10.0, medians.get("cpuMicrosPerRequest"));
    assertEquals(1_024.0, medians.get("allocatedBytesPerRequest"));
    assertEquals(1_500.0, medians.get("p50Micros"));
    assertEquals(9_000.0, medians.get("p99Micros"));
    assertEquals(10.0, medians.get("platformThreads"));
    assertEquals((double) (8 << 20), medians.get("peakHeapBytes"));
    assertEquals((double) (8 << 20), medians.get("peakRssBytes"));
    assertEquals(0, heddle.get("errors"));
    assertEquals(3, results.get(1).get("errors"));
    assertEquals(Map.of("IOException", 3), results.get(1).get("errorsByCause"));
  }

  @Test
  void jsonOfARaceComesBackWithTheRecordingsOfItsRuns() throws IOException {
    Run first =
        new Run(1, HEDDLE.runs().getFirst().figures(), new Soundness.Valid(), Recordings.of(1, 30));
    Run second = new Run(
        2,
        HEDDLE.runs().getLast().figures(),
        new Soundness.Valid(),
        Recordings.of(2, Series.MOST_SAMPLES));
    Measurement measured = Medians.of(SMALL, "heddle", List.of(first, second));
    RaceResult race =
        new RaceResult(RESULT.environment(), List.of(measured, WRK), List.of(), List.of());
    Path file = Files.writeString(folder.resolve("race.json"), JsonReport.render(race));
    assertEquals(
        race.results().getFirst().runs(),
        JsonReport.read(file).results().getFirst().runs());
    assertEquals(race.environment(), JsonReport.read(file).environment());
  }

  @Test
  @SuppressWarnings("unchecked") // the JSON's shape is what the test checks
  void figuresThatAClientHasNotAreNullInJson() throws Exception {
    Map<String, Object> json = Json.object(JsonReport.render(RESULT));
    Map<String, Object> wrk = (Map<String, Object>)
        ((List<Map<String, Object>>) json.get("results")).get(2).get("medians");
    assertTrue(wrk.containsKey("allocatedBytesPerRequest"));
    assertNull(wrk.get("allocatedBytesPerRequest"));
    assertNull(wrk.get("peakHeapBytes"));
    Map<String, Object> environment = (Map<String, Object>) json.get("environment");
    assertEquals("tuned", ((Map<String, Object>) environment.get("design")).get("profile"));
    assertEquals(Map.of("okhttp", "5"), environment.get("versions"));
  }

  @Test
  void tableShowsFiguresWithTheirRatioToHeddle() {
    String table = TableReport.render(RESULT);
    String other =
        table.lines().filter(line -> line.startsWith("<b>other")).findFirst().orElse("");
    assertTrue(other.contains("10,000 0.25×"), other);
    assertTrue(other.contains("40.0 4.00×"), other);
    assertTrue(other.contains("10,240 10×"), other);
    assertTrue(other.endsWith("3 (3 IOException)"), other);
    assertTrue(table.contains("failed: h1-64 jetty, round 1: exit code 1"), table);
    assertTrue(table.contains("Server pinned to core 0, clients to core 1."), table);
  }

  @Test
  void clientThatWasStillCompilingIsNamedWithWhatThatTook() {
    String table = TableReport.render(RESULT);
    List<String> notes = table.lines().filter(line -> line.startsWith("note: ")).toList();
    assertEquals(
        List.of("note: still compiling while measured in h1-64, share of the CPU time: "
            + "<b>other</b> 18%"),
        notes);
  }

  @Test
  void theMethodNamesTheRoundsOfAllCells() {
    String same = TableReport.render(RESULT);
    assertTrue(
        same.contains("Method warm: a JVM for each client, warmed up once for each cell; medians"
            + " over 2 rounds in an order drawn with seed 1;"),
        same);
    Run run = HEDDLE.runs().getFirst();
    Measurement longer = Medians.of(SMALL, "heddle", Collections.nCopies(7, run));
    RaceResult apart =
        new RaceResult(RESULT.environment(), List.of(longer, OTHER), List.of(), List.of());
    String table = TableReport.render(apart);
    assertTrue(table.contains("; medians over 2 to 7 rounds in"), table);
  }

  @Test
  void tableWithoutHeddleHasNoRatios() {
    RaceResult alone =
        new RaceResult(RESULT.environment(), List.of(OTHER, WRK), List.of(), List.of());
    String row = TableReport.render(alone).lines().skip(4).findFirst().orElse("");
    assertFalse(row.contains("×"), row);
  }

  @Test
  void cellsAreGroupedByProtocolAndShowOnlyWhatTheyHave() {
    String table = TableReport.render(withLarge(4));
    int first = table.indexOf("== HTTP/1.1 ==");
    int second = table.indexOf("== HTTP/2 over TLS ==");
    assertTrue(first >= 0 && second > first, table);
    assertFalse(table.substring(first, second).contains("CPU µs/MiB"), table);
    String large = table.substring(second);
    assertTrue(large.contains("CPU µs/MiB") && large.contains("1,200"), table);
    assertTrue(large.contains("POST /sink, 4 connections with 2 streams each"), table);
    assertTrue(table.contains("left out: apache in h2-1x100: no HTTP/2"), table);
    assertTrue(table.contains("HTTP/2 over TLS is served by nghttpd."), table);
    assertTrue(large.contains("\nno second count: nghttpd\n"), table);
  }

  @Test
  void clientThatDoesNotKeepToItsConnectionsIsMarked() {
    assertFalse(TableReport.render(withLarge(4)).contains("instead of"));
    assertTrue(TableReport.render(withLarge(3)).contains("3 instead of 4!"));
    String json = JsonReport.render(withLarge(5));
    assertTrue(json.contains("\"heldToConnections\" : false"), json);
    assertTrue(json.contains("\"tls\" : true") && json.contains("\"streams\" : 2"), json);
    assertTrue(json.contains("\"cpuMicrosPerMiB\" : 1200"), json);
  }

  private static RaceResult withLarge(int open) {
    Measurement large =
        measurement(LARGE, "heddle", 500, Map.of(), 1_200.0, 2_048.0, 8L << 20, 10, open);
    return new RaceResult(
        RESULT.environment(), List.of(HEDDLE, large), List.of(), RESULT.omissions());
  }

  @Test
  void namedExperimentIsReadAsItWasWritten(@TempDir Path folder) throws IOException {
    Story story = new Story(
        "pool",
        "What limits do",
        "A queue.",
        0.1,
        List.of(new Story.Then("Apache", "at once", "2")),
        new Story.Chart(Figure.BATCH_MEAN, List.of("limit-50")));
    RaceResult told =
        new RaceResult(RESULT.environment(), RESULT.results(), List.of(), List.of(), story, true);
    Path file = Files.writeString(folder.resolve("race.json"), JsonReport.render(told));
    assertEquals(story, JsonReport.read(file).story());
    assertEquals(HEDDLE.cell(), JsonReport.read(file).results().getFirst().cell());
    assertTrue(JsonReport.read(file).isPartial());
  }

  @Test
  void raceThatWasStoppedSaysFirstOfAllThatItIsPartial() {
    RaceResult stopped =
        new RaceResult(RESULT.environment(), RESULT.results(), List.of(), List.of(), null, true);
    assertTrue(TableReport.render(stopped).startsWith("PARTIAL: "));
    assertFalse(TableReport.render(RESULT).contains("PARTIAL"));
  }

  @Test
  void filesThatAreNoResultsAreNamedWithWhatIsWrong() throws IOException {
    String good = JsonReport.render(RESULT);
    bad("", "not a JSON object");
    bad("[1]", "not a JSON object");
    bad("{\"format\": \"heddle-load\"}", "its format is heddle-load");
    bad(good.replace("\"version\" : 4", "\"version\" : 3"), "version 3");
    bad(good.replaceFirst("\"round\" : 1", "\"lap\" : 1"), "it lacks results[0].runs[0].round");
    bad(good.replaceFirst("\"streams\" : 1", "\"streams\" : true"), "results[0].cell.streams");
    bad(good.replace("\"cpuMicrosPerRequest\"", "\"mood\""), "mood");
  }

  private void bad(String text, String why) throws IOException {
    Path file = Files.writeString(folder.resolve("race.json"), text);
    IOException thrown = assertThrows(IOException.class, () -> JsonReport.read(file));
    String message = String.valueOf(thrown.getMessage());
    assertTrue(message.contains("race.json") && message.contains(why), message);
  }
}
