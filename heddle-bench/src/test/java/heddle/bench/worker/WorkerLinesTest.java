package heddle.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.bench.result.Figure;
import heddle.bench.result.Outcome;
import heddle.bench.result.Recordings;
import heddle.bench.result.RunFigures;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import heddle.load.Pace.Arrivals;
import heddle.load.cluster.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerLinesTest {

  private static final URI URL = URI.create("https://127.0.0.1:8443/delay/1?a=b");

  @Test
  void ordersTravelAsLines() {
    LoadPlan closed = new LoadPlan(
        new DriverRequest(URL, 1 << 20, 0, DriverRequest.JSON),
        Wire.http2(4, 64).withTrust(new Trust.Pem(Path.of("a folder", "server.pem"))),
        new Pace.Closed(256),
        new Extent.Lasting(Duration.ofMillis(1500)),
        Duration.ofSeconds(2));
    LoadPlan open = new LoadPlan(
        DriverRequest.get(URL),
        Wire.http1(10).withTrust(new Trust.Everything()),
        new Pace.Open(999.5, 10, Arrivals.POISSON),
        new Extent.Requests(11_000),
        Duration.ZERO);
    for (WorkerOrder order : List.of(
        new WorkerOrder.Prepare(closed, true),
        new WorkerOrder.MeasureBeside(closed, new DriverRequest(URL, 0, 64 << 20)),
        new WorkerOrder.WarmUp(closed, Duration.ofMillis(2750)),
        new WorkerOrder.Measure(open),
        new WorkerOrder.Settle(Duration.ofMillis(1500)),
        new WorkerOrder.Rest(),
        new WorkerOrder.Measure(new LoadPlan(URL, new Pace.Closed(1), new Extent.Requests(1))),
        new WorkerOrder.Pin(List.of(1, 3), List.of(0, 1, 2, 3)))) {
      String line = Json.line(order);
      assertEquals(1, line.lines().count());
      assertEquals(order, Json.read(line, WorkerOrder.class));
    }
  }

  @Test
  void answersTravelAsLines() {
    RunFigures figures = new RunFigures(
        Map.of(Figure.RATE, 1234.5, Figure.PEAK_RSS, (double) (1L << 33), Figure.CPU, 42.5),
        Map.of("status 503", 3L));
    Outcome outcome = new Outcome(figures, List.of("too \"late\""), Recordings.of(7, 3));
    for (WorkerAnswer answer : List.of(
        new WorkerAnswer.Hello("jdk", "25"),
        new WorkerAnswer.Done(),
        new WorkerAnswer.Refusal("no \"HTTP/2\""),
        new WorkerAnswer.Measured(outcome),
        new WorkerAnswer.Failure("two\nlines"))) {
      String line = Json.line(answer);
      assertEquals(1, line.lines().count());
      assertEquals(answer, Json.read(line, WorkerAnswer.class));
    }
  }

  @Test
  void linesThatAreNoneAreRefused() {
    refused(WorkerAnswer.class, "Exception in thread main", "not a JSON object");
    refused(WorkerAnswer.class, "{\"type\": \"maybe\"}", "maybe");
    refused(WorkerOrder.class, "{\"type\": \"sing\"}", "sing");
    refused(WorkerOrder.class, "{\"order\": \"rest\"}", "type");
    refused(WorkerOrder.class, "{\"type\": \"settle\", \"mostSeconds\": \"1\"}", "mostSeconds");
    refused(
        WorkerOrder.class,
        "{\"type\":\"measure\",\"plan\":{\"request\":{\"uri\":\"http://a.test/\"}}}",
        "it lacks plan.request.contentLength");
  }

  private static void refused(Class<?> type, String line, String why) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> Json.read(line, type));
    assertTrue(String.valueOf(thrown.getMessage()).contains(why), thrown::toString);
  }

  @Test
  void ownConnectionsToAPortAreCounted() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 5, loopback);
        Socket first = new Socket(loopback, server.getLocalPort());
        Socket second = new Socket(loopback, server.getLocalPort())) {
      int found = Sockets.openTo(server.getLocalPort());
      assertTrue(found == 2 || found == -1, "found " + found);
      assertTrue(first.isConnected() && second.isConnected());
    }
  }
}
