package heddle.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Wire;
import heddle.bench.gauge.Gauges;
import heddle.bench.result.FailedRequests;
import heddle.bench.result.Figure;
import heddle.bench.result.Outcome;
import heddle.bench.result.Recording;
import heddle.bench.result.Series.Sample;
import heddle.load.ClosedSession;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.LoadRunner;
import heddle.load.Pace;
import heddle.load.Pace.Arrivals;
import heddle.load.cluster.json.Json;
import heddle.load.record.FailureKind;
import heddle.load.schedule.RateCurve;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeasuringTest {

  /** What each load has, where the kernel tells it. */
  private static final Set<Figure> OF_ANY = EnumSet.of(
      Figure.ANSWERED,
      Figure.FAILED_SHARE,
      Figure.SENT,
      Figure.CPU,
      Figure.CPU_CORES,
      Figure.COMPILING,
      Figure.ALLOCATED,
      Figure.PEAK_HEAP,
      Figure.MEAN_HEAP,
      Figure.HEAP_AFTER_GC,
      Figure.LIVE_SET,
      Figure.GC_COUNT,
      Figure.GC_MILLIS,
      Figure.GC_MAX_MILLIS,
      Figure.THREADS,
      Figure.IDLE_THREADS);

  private static final Set<Figure> OF_ANSWERS = EnumSet.of(
      Figure.RATE, Figure.MEAN, Figure.P50, Figure.P90, Figure.P99, Figure.P999, Figure.MAX);

  /** Enough that they weigh more than what else in this JVM comes and goes meanwhile. */
  private static final int HELD = 120;

  private final Gauges gauges = new Gauges();
  private final AtomicInteger served = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);
  private HttpServer server;
  private ExecutorService executor;

  @BeforeEach
  void startServer() throws IOException {
    executor = Executors.newVirtualThreadPerTaskExecutor();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
    server.setExecutor(executor);
    server.createContext("/hello", exchange -> answer(exchange, 200));
    server.createContext(
        "/third", exchange -> answer(exchange, served.incrementAndGet() % 3 == 0 ? 503 : 200));
    server.createContext("/slow", exchange -> hold(exchange, 300));
    server.createContext("/held", exchange -> hold(exchange, 60_000));
    server.start();
  }

  @AfterEach
  void stopServer() {
    released.countDown();
    server.stop(0);
    executor.close();
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    try (exchange) {
      byte[] hello = "Hello!".getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(status, hello.length);
      exchange.getResponseBody().write(hello);
    }
  }

  private void hold(HttpExchange exchange, long millis) throws IOException {
    try {
      var _ = released.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    answer(exchange, 200);
  }

  @Test
  void closedLoadTellsItsFiguresAndNoneOfASchedule() throws Exception {
    LoadPlan plan = plan("/third", new Pace.Closed(4), new Extent.Lasting(Duration.ofMillis(600)));
    Outcome outcome;
    try (ClosedSession session =
        ClosedSession.open(new BlockingTestDriver(), Profile.TUNED, plan)) {
      outcome = Measuring.run(
          plan,
          listener -> session.measure(plan, Duration.ofMillis(10), listener),
          gauges,
          served::get);
    }
    assertHas(outcome, OF_ANY);
    assertHas(outcome, OF_ANSWERS);
    assertHasNone(outcome, Set.of(Figure.SEND_LAG_P99, Figure.DROPPED, Figure.SERVICE_P99));
    double answered = value(outcome, Figure.ANSWERED);
    FailedRequests failed = outcome.recording().failures().getFirst();
    assertEquals(FailureKind.STATUS, failed.first().kind());
    assertEquals("status 503", failed.first().cause());
    assertEquals(
        failed.count() / (failed.count() + answered), value(outcome, Figure.FAILED_SHARE), 1e-9);
    assertEquals(answered, (double) outcome.recording().response().count());
    assertEquals(outcome.recording().response(), outcome.recording().service());
    assertTrue(outcome.recording().sendLag().isEmpty());
    List<Sample> samples = outcome.recording().series().samples();
    assertTrue(samples.size() >= 2, samples::toString);
    double inSeries = samples.stream()
        .mapToDouble(each -> each.requestsPerSecond() * each.span())
        .sum();
    assertTrue(inSeries > 0 && inSeries < answered + 0.5, inSeries + " of " + answered);
    assertTrue(samples.stream().anyMatch(each -> each.inFlight() == 4), samples::toString);
    assertOrdered(outcome);
  }

  @Test
  void openLoadTellsItsLagWhatItDroppedAndWhatWasAsked() throws Exception {
    Pace open = new Pace.Open(RateCurve.constant(400), Arrivals.CONSTANT, 1, 2, 2);
    LoadPlan plan = plan("/slow", open, new Extent.Requests(200));
    Outcome outcome = run(plan);
    assertHas(outcome, OF_ANY);
    assertHas(outcome, OF_ANSWERS);
    assertEquals(400, value(outcome, Figure.ASKED_RATE));
    double dropped = value(outcome, Figure.DROPPED);
    assertTrue(dropped > 50, "dropped " + dropped);
    assertEquals(200, dropped + value(outcome, Figure.ANSWERED));
    assertTrue(value(outcome, Figure.SEND_LAG_MAX) >= value(outcome, Figure.SEND_LAG_P99));
    assertTrue(value(outcome, Figure.MAX) > 200_000, () -> Json.line(outcome));
    assertTrue(value(outcome, Figure.SERVICE_P99) > 0, () -> Json.line(outcome));
    Recording recording = outcome.recording();
    assertEquals(recording.response().count(), recording.sendLag().count());
    assertEquals(recording.response().count(), recording.service().count());
    assertTrue(recording.series().samples().stream().anyMatch(each -> each.inFlight() == 2));
    assertOrdered(outcome);
  }

  @Test
  void batchesTellBothThroughputsAndTimesOfEach() throws Exception {
    LoadPlan plan = plan("/hello", new Pace.Batch(20), new Extent.Requests(110));
    Outcome outcome = run(plan);
    assertHas(outcome, OF_ANY);
    assertHas(outcome, OF_ANSWERS);
    assertEquals(6, value(outcome, Figure.BATCHES));
    assertTrue(value(outcome, Figure.HAND_OVER_MEAN) < value(outcome, Figure.BATCH_MEAN));
    assertTrue(value(outcome, Figure.HAND_OVER_P50) <= value(outcome, Figure.BATCH_P50));
    double seconds = 6 * value(outcome, Figure.HAND_OVER_MEAN) / 1e6;
    assertEquals(110 / seconds, value(outcome, Figure.HAND_OVER_RATE), 0.01 * 110 / seconds);
    assertTrue(value(outcome, Figure.RATE) < value(outcome, Figure.HAND_OVER_RATE));
    assertHasNone(outcome, Set.of(Figure.SEND_LAG_P99, Figure.DROPPED, Figure.HELD_MOST));
    List<Sample> samples = outcome.recording().series().samples();
    assertTrue(samples.stream().anyMatch(each -> each.inFlight() > 0), samples::toString);
  }

  @Test
  void heldRequestsTellHowManyHowSoonAndWhatEachHolds() throws Exception {
    LoadPlan plan = plan("/held", new Pace.Held(HELD), new Extent.Lasting(Duration.ofMillis(900)));
    Outcome outcome = run(plan);
    assertHas(outcome, OF_ANY);
    assertHasNone(outcome, OF_ANSWERS);
    assertEquals(HELD, value(outcome, Figure.HELD_ASKED));
    assertEquals(HELD, value(outcome, Figure.HELD_MOST));
    assertEquals(HELD, value(outcome, Figure.HELD_AT_END));
    assertTrue(value(outcome, Figure.HELD_SECONDS) < 0.9, () -> Json.line(outcome));
    assertTrue(value(outcome, Figure.HELD_HEAP) > 0, () -> Json.line(outcome));
    assertTrue(value(outcome, Figure.LIVE_SET) > 0, () -> Json.line(outcome));
    assertEquals(List.of(), outcome.recording().remarks());
    List<Sample> samples = outcome.recording().series().samples();
    assertEquals(HELD, samples.getLast().inFlight(), samples::toString);
  }

  @Test
  void heldRequestsThatEndTooSoonAreRemarkedOn() throws Exception {
    LoadPlan plan = plan("/hello", new Pace.Held(5), new Extent.Lasting(Duration.ofSeconds(5)));
    Outcome outcome = run(plan);
    String remark = outcome.recording().remarks().getFirst();
    assertTrue(remark.contains("of 5 requests were held at most"), remark);
    assertHasNone(outcome, Set.of(Figure.HELD_HEAP));
  }

  private Outcome run(LoadPlan plan) throws Exception {
    Outcome outcome = Measuring.run(
        plan,
        listener -> new LoadRunner(new BlockingTestDriver()).run(plan, listener),
        gauges,
        served::get);
    assertEquals(outcome, Json.read(Json.line(outcome), Outcome.class));
    return outcome;
  }

  private LoadPlan plan(String path, Pace pace, Extent extent) {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    Wire wire = Wire.http1(pace.inFlight());
    return new LoadPlan(DriverRequest.get(uri), wire, pace, extent, Duration.ZERO);
  }

  private static void assertHas(Outcome outcome, Set<Figure> figures) {
    for (Figure figure : figures) {
      assertNotNull(
          outcome.figures().of(figure), () -> figure + " is missing: " + Json.line(outcome));
    }
  }

  private static void assertHasNone(Outcome outcome, Set<Figure> figures) {
    for (Figure figure : figures) {
      assertFalse(outcome.figures().values().containsKey(figure), () -> figure + " makes no sense");
    }
  }

  private static void assertOrdered(Outcome outcome) {
    double last = 0;
    for (Figure figure : List.of(Figure.P50, Figure.P90, Figure.P99, Figure.P999, Figure.MAX)) {
      assertTrue(value(outcome, figure) >= last, () -> Json.line(outcome));
      last = value(outcome, figure);
    }
  }

  private static double value(Outcome outcome, Figure figure) {
    Double value = outcome.figures().of(figure);
    assertNotNull(value, () -> figure + " is missing: " + Json.line(outcome));
    return value;
  }
}
