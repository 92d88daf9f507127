package heddle.bench.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Wire;
import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrkTest {

  private static final String OUTPUT =
      """
      Running 2s test @ http://127.0.0.1:8080/hello
        1 threads and 64 connections
        Thread Stats   Avg      Stdev     Max   +/- Stdev
          Latency     1.10ms  500.00us  10.00ms   90.00%
          Req/Sec    50.00k     1.00k   60.00k    70.00%
        Latency Distribution
           50%  850.00us
           75%    1.20ms
           90%    1.75ms
           99%    2.50ms
        100000 requests in 2.00s, 10.00MB read
      Requests/sec:  50000.00
      Transfer/sec:      5.00MB
      0m0.010000s 0m0.020000s
      0m0.250000s 1m0.750000s
      """;

  @Test
  void figuresAreReadFromTheOutput() throws IOException {
    RunFigures figures = new Wrk().figures(OUTPUT);
    assertEquals(50_000, figures.requestsPerSecond());
    assertEquals(850.0, figures.of(Figure.P50));
    assertEquals(2_500.0, figures.of(Figure.P99));
    assertEquals(610.0, figures.of(Figure.CPU));
    assertEquals(Map.of(), figures.errorsByCause());
    assertNull(figures.of(Figure.ALLOCATED));
    assertNull(figures.of(Figure.THREADS));
  }

  @Test
  void errorsAreCountedByKindAndOtherStatusesAreNoAnswers() throws IOException {
    String output = OUTPUT.replace(
        "Requests/sec:",
        """
              Socket errors: connect 0, read 7, write 0, timeout 2
              Non-2xx or 3xx responses: 25000
            Requests/sec:""");
    RunFigures figures = new Wrk().figures(output);
    assertEquals(Map.of("read", 7L, "timeout", 2L, "status", 25_000L), figures.errorsByCause());
    assertEquals(37_500, figures.requestsPerSecond());
  }

  @Test
  void outputOfSomethingElseIsRefused() {
    assertThrows(IOException.class, () -> new Wrk().figures("unable to connect"));
  }

  @Test
  void postIsAScriptOfItsOwn(@TempDir Path folder) throws IOException {
    DriverRequest post = new DriverRequest(URI.create("https://127.0.0.1:1/sink"), 1000, -1);
    LoadPlan plan = new LoadPlan(
        post,
        Wire.http1(4),
        new Pace.Closed(4),
        new Extent.Lasting(Duration.ofSeconds(1)),
        Duration.ZERO);
    List<String> command = new Wrk().command(plan, Duration.ofMillis(1_600), folder);
    assertEquals(List.of("wrk", "-t1", "-c4", "-d2s", "--latency", "-s"), command.subList(0, 6));
    assertTrue(Files.readString(Path.of(command.get(6))).contains("string.rep(\"a\", 1000)"));
    assertEquals("https://127.0.0.1:1/sink", command.getLast());
  }

  @Test
  void contentOfATypeIsSentAsItIs(@TempDir Path folder) throws IOException {
    DriverRequest json =
        new DriverRequest(URI.create("http://127.0.0.1:1/"), 14, -1, DriverRequest.JSON);
    LoadPlan plan = new LoadPlan(
        json,
        Wire.http1(4),
        new Pace.Closed(4),
        new Extent.Lasting(Duration.ofSeconds(1)),
        Duration.ZERO);
    List<String> command = new Wrk().command(plan, Duration.ofSeconds(1), folder);
    String script = Files.readString(Path.of(command.get(6)));
    assertTrue(script.contains("[[{\"text\":\"jkl\"}]]"), script);
    assertTrue(script.contains("wrk.headers[\"Content-Type\"] = \"application/json\""), script);
  }

  @Test
  void loadsThatWrkCannotRunAreRefused() {
    URI uri = URI.create("http://127.0.0.1:1/");
    Extent extent = new Extent.Lasting(Duration.ofSeconds(1));
    Pace open = new Pace.Open(10, 10, Pace.Arrivals.CONSTANT);
    assertEquals("no open load", new Wrk().refusal(new LoadPlan(uri, open, extent)));
    LoadPlan http2 = new LoadPlan(
        DriverRequest.get(uri), Wire.http2(1, 4), new Pace.Closed(4), extent, Duration.ZERO);
    assertEquals("no HTTP/2", new Wrk().refusal(http2));
    LoadPlan crowd = new LoadPlan(
        DriverRequest.get(uri), Wire.http1(2_000), new Pace.Closed(2_000), extent, Duration.ZERO);
    assertEquals(
        "more than 1,000 connections, which it opens in the time that is measured",
        new Wrk().refusal(crowd));
    assertNull(new Wrk().refusal(new LoadPlan(uri, new Pace.Closed(4), extent)));
  }
}
