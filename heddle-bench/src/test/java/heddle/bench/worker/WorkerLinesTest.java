package heddle.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.bench.result.Figure;
import heddle.bench.result.Recordings;
import heddle.bench.result.RunFigures;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import heddle.load.Pace.Arrivals;
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
  void ordersTravelAsLines() throws IOException {
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
      assertEquals(1, order.toJson().lines().count());
      assertEquals(order, WorkerOrder.parse(order.toJson()));
    }
  }

  @Test
  void answersTravelAsLines() throws IOException {
    RunFigures figures = new RunFigures(
        Map.of(Figure.RATE, 1234.5, Figure.PEAK_RSS, (double) (1L << 33), Figure.CPU, 42.5),
        Map.of("status 503", 3L));
    WorkerReport report =
        new WorkerReport(figures, "status 503", List.of("too \"late\""), Recordings.of(7, 3));
    for (WorkerAnswer answer : List.of(
        new WorkerAnswer.Hello("jdk", "25"),
        new WorkerAnswer.Done(),
        new WorkerAnswer.Refusal("no \"HTTP/2\""),
        new WorkerAnswer.Measured(report),
        new WorkerAnswer.Failure("two\nlines"))) {
      assertEquals(1, answer.toJson().lines().count());
      assertEquals(answer, WorkerAnswer.parse(answer.toJson()));
    }
  }

  @Test
  void linesThatAreNoneAreRefused() {
    assertThrows(IOException.class, () -> WorkerAnswer.parse("Exception in thread main"));
    assertThrows(IOException.class, () -> WorkerAnswer.parse("{\"answer\": \"Maybe\"}"));
    assertThrows(IOException.class, () -> WorkerOrder.parse("{\"order\": \"Sing\"}"));
    String lacking = "{\"order\":\"Measure\",\"plan\":{\"uri\":\"http://a.test/\"}}";
    IOException thrown = assertThrows(IOException.class, () -> WorkerOrder.parse(lacking));
    assertTrue(String.valueOf(thrown.getCause()).contains("contentLength"), thrown::toString);
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
