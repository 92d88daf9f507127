package heddle.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.Environment;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.jr.ob.JSON;

class ReportsTest {

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
          "tuned",
          2,
          1,
          99.5),
      List.of(HEDDLE, OTHER, WRK),
      List.of("h1-64 jetty, round 1: exit code 1"));

  private static Measurement measurement(
      String client,
      double rate,
      Map<String, Long> errors,
      Double cpu,
      Double allocated,
      Long heap,
      Integer threads) {
    long failed = errors.values().stream().mapToLong(Long::longValue).sum();
    return new Measurement(
        "h1-64", client, 2, rate, 1_500, 9_000, failed, errors, cpu, allocated, heap, heap, heap,
        threads, threads);
  }

  @Test
  @SuppressWarnings("unchecked") // the JSON's shape is what the test checks
  void jsonHasAnObjectForEachCellAndClient() throws Exception {
    Map<String, Object> json = JSON.std.mapFrom(JsonReport.render(RESULT));
    List<Map<String, Object>> results = (List<Map<String, Object>>) json.get("results");
    assertEquals(3, results.size());
    Map<String, Object> heddle = results.getFirst();
    assertEquals("h1-64", heddle.get("cell"));
    assertEquals("heddle", heddle.get("client"));
    assertEquals(40_000.0, heddle.get("requestsPerSecond"));
    assertEquals(10.0, heddle.get("cpuMicrosPerRequest"));
    assertEquals(1_024.0, heddle.get("allocatedBytesPerRequest"));
    assertEquals(1_500.0, heddle.get("p50Micros"));
    assertEquals(9_000.0, heddle.get("p99Micros"));
    assertEquals(0, heddle.get("errors"));
    assertEquals(10, heddle.get("platformThreads"));
    assertEquals(8 << 20, heddle.get("peakHeapBytes"));
    assertEquals(8 << 20, heddle.get("peakRssBytes"));
    assertEquals(3, results.get(1).get("errors"));
    assertEquals(Map.of("IOException", 3), results.get(1).get("errorsByCause"));
  }

  @Test
  @SuppressWarnings("unchecked") // the JSON's shape is what the test checks
  void figuresThatAClientHasNotAreNullInJson() throws Exception {
    Map<String, Object> json = JSON.std.mapFrom(JsonReport.render(RESULT));
    Map<String, Object> wrk = ((List<Map<String, Object>>) json.get("results")).get(2);
    assertTrue(wrk.containsKey("allocatedBytesPerRequest"));
    assertNull(wrk.get("allocatedBytesPerRequest"));
    assertNull(wrk.get("peakHeapBytes"));
    Map<String, Object> environment = (Map<String, Object>) json.get("environment");
    assertEquals("tuned", environment.get("profile"));
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
  void tableWithoutHeddleHasNoRatios() {
    RaceResult alone = new RaceResult(RESULT.environment(), List.of(OTHER, WRK), List.of());
    String row = TableReport.render(alone).lines().skip(1).findFirst().orElse("");
    assertFalse(row.contains("×"), row);
  }

  @Test
  void barsStartAtZeroAndCarryTheirValues() {
    String page = HtmlReport.render(RESULT);
    String chart = page.substring(page.indexOf("Requests a second"));
    chart = chart.substring(0, chart.indexOf("</figure>"));
    assertTrue(chart.contains("width:80.00%\"></div></div><span>40,000"), chart);
    assertTrue(chart.contains("width:20.00%\"></div></div><span>10,000 (0.25×)"), chart);
    assertTrue(chart.contains("width:100.00%\"></div></div><span>50,000"), chart);
  }

  @Test
  void pageEscapesWhatItShowsAndLoadsNothing() {
    String page = HtmlReport.render(RESULT);
    assertTrue(page.contains("&lt;b&gt;other&lt;/b&gt;"));
    assertFalse(page.contains("<b>other"));
    assertTrue(page.contains("A &amp; B"));
    assertFalse(page.contains("http://") || page.contains("https://"), "an address in the page");
    assertFalse(page.contains("<script"), "a script in the page");
  }
}
