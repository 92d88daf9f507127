package heddle.bench.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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

class H2loadTest {

  private static final String OUTPUT =
      """
      starting benchmark...
      Application protocol: h2c
      progress: 100% of clients started

      finished in 1.50s, 140666.67 req/s, 4.43MB/s
      requests: 211000 total, 211100 started, \
      211000 done, 211000 succeeded, 0 failed, 0 errored, 0 timeout
      status codes: 211000 2xx, 0 3xx, 0 4xx, 0 5xx
                           min         max         mean         sd        +/- sd
      time for request:      350us      3.68ms       654us       192us    83.46%
      0m0.010000s 0m0.020000s
      0m0.311000s 0m0.111000s
      """;

  @Test
  void figuresAreReadFromTheOutput() throws IOException {
    RunFigures figures = new H2load().figures(OUTPUT);
    assertEquals(140_666.67, figures.requestsPerSecond());
    assertEquals(2.0, figures.of(Figure.CPU));
    assertEquals(Map.of(), figures.errorsByCause());
    assertNull(figures.of(Figure.P50));
    assertNull(figures.of(Figure.ALLOCATED));
  }

  @Test
  void errorsAreCountedByKind() throws IOException {
    String output = OUTPUT
        .replace(
            "211000 succeeded, 0 failed, 0 errored", "105500 succeeded, 105500 failed, 7 errored")
        .replace("211000 2xx, 0 3xx, 0 4xx", "105500 2xx, 0 3xx, 105500 4xx");
    RunFigures figures = new H2load().figures(output);
    assertEquals(Map.of("errored", 7L, "status 4xx", 105_500L), figures.errorsByCause());
    assertEquals(4.0, figures.of(Figure.CPU));
  }

  @Test
  void connectionsStreamsAndContentAreThoseOfTheLoad(@TempDir Path folder) throws IOException {
    DriverRequest post =
        new DriverRequest(URI.create("http://127.0.0.1:1/sink"), 300, -1, DriverRequest.JSON);
    LoadPlan plan = new LoadPlan(
        post,
        Wire.http2(4, 64),
        new Pace.Closed(256),
        new Extent.Lasting(Duration.ofSeconds(1)),
        Duration.ZERO);
    List<String> command = new H2load().command(plan, Duration.ofMillis(1_500), folder);
    assertEquals(
        List.of("h2load", "-t1", "-c4", "-m64", "--duration=1500ms"), command.subList(0, 5));
    String data = command.get(5);
    assertTrue(data.startsWith("--data="), data);
    assertArrayEquals(
        post.content(), Files.readAllBytes(Path.of(data.substring("--data=".length()))));
    assertEquals("--header=content-type: application/json", command.get(6));
  }

  @Test
  void outputOfSomethingElseIsRefused() {
    assertThrows(IOException.class, () -> new H2load().figures("unable to connect"));
  }
}
