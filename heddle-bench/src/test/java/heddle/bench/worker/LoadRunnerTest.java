package heddle.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Wire;
import heddle.load.ErrorCause;
import heddle.load.Extent;
import heddle.load.LoadListener;
import heddle.load.LoadPlan;
import heddle.load.LoadProgress;
import heddle.load.LoadReport;
import heddle.load.LoadRunner;
import heddle.load.Pace;
import heddle.load.Pace.Arrivals;
import heddle.load.record.FailureKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadRunnerTest {

  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger third = new AtomicInteger();
  private final AtomicBoolean stallNext = new AtomicBoolean(true);
  private final CountDownLatch released = new CountDownLatch(1);
  private HttpServer server;
  private ExecutorService executor;

  @BeforeEach
  void startServer() throws IOException {
    executor = Executors.newVirtualThreadPerTaskExecutor();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(executor);
    server.createContext("/hello", exchange -> answer(exchange, 200));
    server.createContext("/busy", exchange -> answer(exchange, 503));
    server.createContext("/every-third", this::answerEveryThird);
    server.createContext("/stalls-once", this::stallOnce);
    server.start();
  }

  @AfterEach
  void stopServer() {
    released.countDown();
    server.stop(0);
    executor.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closedLoadSendsExactlyTheRequestsAskedFor(boolean async) throws Exception {
    LoadReport report = closed(driver(async), "/hello", 8, new Extent.Requests(203));
    assertEquals(203, report.answered());
    assertEquals(203, served.get());
    assertEquals(0, report.failed());
    assertEquals(203 * 6, report.bodyBytes());
    assertTrue(report.requestsPerSecond() > 0);
    assertTrue(report.latency().p50() > 0);
    assertTrue(report.latency().max() >= report.latency().p99());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void otherStatusesAreErrorsByStatus(boolean async) throws Exception {
    LoadReport report = closed(driver(async), "/every-third", 3, new Extent.Requests(30));
    assertEquals(20, report.answered());
    assertEquals(
        List.of(new ErrorCause(FailureKind.STATUS, "", "status 500", 10, "")), report.errors());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answersOfAnotherLengthThanExpectedAreErrors(boolean async) throws Exception {
    DriverRequest request = new DriverRequest(uri("/hello"), 0, 7);
    LoadPlan plan = new LoadPlan(
        request, Wire.http1(2), new Pace.Closed(2), new Extent.Requests(5), Duration.ZERO);
    LoadReport report = new LoadRunner(driver(async)).run(plan, LoadListener.NONE);
    assertEquals(0, report.answered());
    assertEquals(
        List.of(new ErrorCause(FailureKind.LENGTH, "", "wrong length", 5, "6 bytes instead of 7")),
        report.errors());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void refusedConnectionsAreErrorsByException(boolean async) throws Exception {
    URI unused;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unused = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
    }
    LoadPlan plan = new LoadPlan(unused, new Pace.Closed(2), new Extent.Requests(4));
    LoadReport report = new LoadRunner(driver(async)).run(plan, LoadListener.NONE);
    assertEquals(0, report.answered());
    assertEquals(4, report.failed());
    assertEquals(1, report.errors().size());
    assertTrue(report.errors().getFirst().cause().endsWith("Exception"));
    assertEquals(FailureKind.REFUSED, report.errors().getFirst().kind());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void warmUpIsInNoFigure(boolean async) throws Exception {
    LoadPlan plan = new LoadPlan(
        uri("/hello"), new Pace.Closed(4), new Extent.Requests(50), Duration.ofMillis(200));
    LoadReport report = new LoadRunner(driver(async)).run(plan, LoadListener.NONE);
    assertEquals(50, report.answered());
    assertTrue(served.get() > 50, "the warm-up sent nothing");
  }

  @Test
  void loadOfAGivenTimeEndsAndTellsItsListener() throws Exception {
    List<String> heard = new ArrayList<>();
    LoadListener listener = new LoadListener() {
      @Override
      public void measuring() {
        heard.add("measuring");
      }

      @Override
      public void progress(LoadProgress progress) {
        heard.add("progress");
        assertTrue(progress.fraction() >= 0 && progress.fraction() <= 1);
      }

      @Override
      public void measured() {
        heard.add("measured");
      }
    };
    LoadPlan plan =
        new LoadPlan(uri("/hello"), new Pace.Closed(4), new Extent.Lasting(Duration.ofMillis(700)));
    LoadReport report = new LoadRunner(new BlockingTestDriver()).run(plan, listener);
    assertTrue(report.answered() > 0);
    assertTrue(report.duration().compareTo(Duration.ofMillis(700)) >= 0);
    assertEquals("measuring", heard.getFirst());
    assertEquals("measured", heard.getLast());
    assertTrue(heard.contains("progress"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void openLoadSendsAllAndCountsErrors(boolean async) throws Exception {
    Pace pace = new Pace.Open(500, 50, Arrivals.POISSON);
    LoadPlan plan = new LoadPlan(uri("/busy"), pace, new Extent.Requests(60));
    LoadReport report = new LoadRunner(driver(async)).run(plan, LoadListener.NONE);
    assertEquals(0, report.answered());
    assertEquals(
        List.of(new ErrorCause(FailureKind.STATUS, "", "status 503", 60, "")), report.errors());
    assertEquals(60, served.get());
  }

  @Test
  void openLoadChargesAStallToAllWhoWouldHaveComeMeanwhile() throws Exception {
    // One connection and one stall of 400 ms: 40 requests are meant to start meanwhile. Timed from
    // their sending, 39 of them would look fast.
    Pace pace = new Pace.Open(100, 1, Arrivals.CONSTANT);
    LoadPlan plan = new LoadPlan(uri("/stalls-once"), pace, new Extent.Requests(40));
    LoadReport report = new LoadRunner(new BlockingTestDriver()).run(plan, LoadListener.NONE);
    assertEquals(40, report.answered());
    assertTrue(report.latency().max() >= 400_000, () -> "max " + report.latency());
    assertTrue(report.latency().p50() >= 100_000, () -> "median " + report.latency());
  }

  @Test
  void interruptEndsALoadThatGetsNoAnswer() {
    Thread caller = Thread.currentThread();
    server.createContext("/never", exchange -> {
      caller.interrupt();
      awaitRelease();
      answer(exchange, 200);
    });
    assertThrows(
        InterruptedException.class,
        () -> closed(new BlockingTestDriver(), "/never", 1, new Extent.Requests(1)));
    assertEquals(0, served.get());
  }

  private static Driver driver(boolean async) {
    return async ? new AsyncTestDriver() : new BlockingTestDriver();
  }

  private LoadReport closed(Driver driver, String path, int callers, Extent extent)
      throws Exception {
    LoadPlan plan = new LoadPlan(uri(path), new Pace.Closed(callers), extent);
    return new LoadRunner(driver).run(plan, LoadListener.NONE);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private void answerEveryThird(HttpExchange exchange) throws IOException {
    answer(exchange, third.incrementAndGet() % 3 == 0 ? 500 : 200);
  }

  private void stallOnce(HttpExchange exchange) throws IOException {
    if (stallNext.getAndSet(false)) {
      try {
        Thread.sleep(400);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    answer(exchange, 200);
  }

  private void awaitRelease() throws IOException {
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void answer(HttpExchange exchange, int status) throws IOException {
    served.incrementAndGet();
    byte[] body = "Hello!".getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
