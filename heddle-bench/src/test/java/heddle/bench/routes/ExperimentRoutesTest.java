package heddle.bench.routes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.account.ServerCounts;
import heddle.bench.result.Series.Sample;
import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.load.cluster.json.Json;
import java.io.InputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentRoutesTest {

  private final ExperimentRoutes routes = new ExperimentRoutes();

  @Test
  void helloGreetsAgainAndAgain() throws Exception {
    for (int i = 0; i < 2; i++) {
      Response response = get("/hello");
      assertEquals(200, response.status().code());
      assertEquals("Hello!", response.string());
      assertEquals(6, response.body().length());
    }
  }

  @Test
  void delayAnswersNoSooner() throws Exception {
    long begin = System.nanoTime();
    assertEquals("Hello!", get("/delay/30").string());
    assertTrue(System.nanoTime() - begin >= 30_000_000);
  }

  @Test
  void delayAnswersAnyMethod() throws Exception {
    Request post = Request.post("http://127.0.0.1/delay/1", Body.of("ignored"));
    assertEquals("Hello!", routes.handle(post).string());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/delay/",
        "/delay/-1",
        "/delay/+1",
        "/delay/1.5",
        "/delay/1x",
        "/delay/3600001",
        "/delay/99999999999999999999",
        "/bytes/",
        "/bytes/ten",
        "/ping/",
        "/ping/3600001",
        "/hold/0",
        "/hold/1000001",
        "/bytes/1099511627777"
      })
  void badNumbersAreRefusedWithTheRange(String target) throws Exception {
    Response response = get(target);
    assertEquals(400, response.status().code());
    String message = response.string();
    assertTrue(message.contains(target) && message.contains(" from "), message);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 25, 26, 13_311, 13_312, 13_313, 100_000})
  void bytesAreAsManyAsAskedFor(int count) throws Exception {
    Response response = get("/bytes/" + count);
    assertEquals(count, response.body().length());
    byte[] content = response.bytes();
    assertEquals(count, content.length);
    for (int i = 0; i < count; i++) {
      assertEquals('a' + i % 26, content[i]);
    }
  }

  @Test
  void hugeBodiesAreNotBuilt() throws Exception {
    Response response = get("/bytes/1099511627776");
    assertEquals(1L << 40, response.body().length());
    try (InputStream stream = response.body().stream()) {
      assertEquals('a', stream.read());
    }
  }

  @Test
  void echoGivesTheContentBack() throws Exception {
    byte[] content = {0, 1, -1, 13, 10};
    Request request =
        request(Method.POST, "/echo").toBuilder().body(Body.of(content)).build();
    assertArrayEquals(content, routes.handle(request).bytes());
  }

  @Test
  void sinkSwallowsContentAndAnswersNothing() throws Exception {
    Request request = request(Method.POST, "/sink").toBuilder()
        .body(Body.of(new byte[100_000]))
        .build();
    Response response = routes.handle(request);
    assertEquals(200, response.status().code());
    assertEquals(0, response.bytes().length);
    assertEquals("POST", get("/sink").headers().first("allow"));
  }

  @Test
  void lockedNamesItsLock() throws Exception {
    assertEquals("Ping_0", get("/locked").string());
    assertEquals("Ping_1", get("/locked").string());
  }

  @Test
  void lockedTakesAllFiftyLocksInTurn() throws Exception {
    Set<String> seen = new HashSet<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<String> ask = () -> get("/locked").string();
      for (Future<String> answer : executor.invokeAll(Collections.nCopies(50, ask))) {
        seen.add(answer.get());
      }
    }
    assertEquals(50, seen.size());
  }

  @Test
  void pingTakesItsTimeAndNumbersInTurn() throws Exception {
    long begin = System.nanoTime();
    assertEquals("Ping_0", get("/ping/30").string());
    assertTrue(System.nanoTime() - begin >= 30_000_000);
    assertEquals("Ping_1", get("/ping/0").string());
  }

  @Test
  void holdAnswersAllWhenTheLastHasCome() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<String> ask = () -> get("/hold/20").string();
      List<Future<String>> first = new ArrayList<>();
      for (int i = 0; i < 19; i++) {
        first.add(executor.submit(ask));
      }
      awaitActive(19);
      assertFalse(first.stream().anyMatch(Future::isDone));
      assertEquals("Hello!", ask.call());
      for (Future<String> each : first) {
        assertEquals("Hello!", each.get());
      }
    }
  }

  @Test
  void whoeverGaveUpIsNotCountedAsHeld() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> first = executor.submit(() -> get("/hold/2").string());
      awaitActive(1);
      first.cancel(true);
      awaitActive(0);
      Future<String> second = executor.submit(() -> get("/hold/2").string());
      awaitActive(1);
      assertFalse(second.isDone());
      assertEquals("Hello!", get("/hold/2").string());
      assertEquals("Hello!", second.get());
    }
  }

  @Test
  void eachSecondIsTakenDownUntilTheNextLook() throws Exception {
    BlockingQueue<Integer> told = new LinkedBlockingQueue<>();
    Thread one = Thread.ofVirtual().start(this::waitLong);
    awaitActive(1);
    try (Beat _ = routes.counted().record(told::add)) {
      assertEquals(1, told.take());
    }
    Map<String, Object> second = counters();
    assertEquals(List.of(1), second.get("activeEachSecond"));
    assertCourse(second);
    Map<String, Object> counts = counters();
    assertEquals(List.of(), counts.get("activeEachSecond"));
    for (String name : List.of("averageHeapBytes", "committedHeapBytes", "peakHeapBytes")) {
      assertTrue(
          counts.get(name) instanceof Number number && number.longValue() > 0, counts::toString);
    }
    one.interrupt();
    one.join();
  }

  /** Some four samples of a second in which one request was in progress. */
  private static void assertCourse(Map<String, Object> counts) {
    List<Sample> samples = new ServerCounts(counts).series().samples();
    assertTrue(samples.size() >= 2, samples::toString);
    for (Sample each : samples) {
      assertEquals(1, each.inFlight(), samples::toString);
      assertTrue(each.heapBytes() > 0 && each.platformThreads() > 0, samples::toString);
      assertTrue(each.heapBytes() <= each.committedHeapBytes(), samples::toString);
    }
  }

  private void awaitActive(int count) throws Exception {
    while (!get("/active").string().contains("\"active\":" + count + ",")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void countersTellWhatCameSinceTheLastLook() throws Exception {
    counters();
    long collections = collections();
    get("/hello");
    get("/nowhere");
    get("/active");
    Map<String, Object> counts = counters();
    assertEquals(2, counts.get("requests"));
    assertEquals(0, counts.get("active"));
    assertEquals(1, counts.get("peak"));
    assertTrue(((Number) counts.get("peakAfterMillis")).doubleValue() >= 0, counts::toString);
    assertTrue(
        ((Number) counts.get("gcCount")).longValue() < collections() - collections,
        () -> "the collection for the live set is not counted: " + counts);
    for (String name : List.of("allocatedBytes", "liveSetBytes", "platformThreads")) {
      assertTrue(
          counts.get(name) instanceof Number number && number.longValue() > 0, counts::toString);
    }
    assertEquals(0, counters().get("requests"));
    assertEquals(405, get("/counters").status().code());
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  @Test
  void activeCountsTheOthersAndRemembersTheMost() throws Exception {
    assertEquals("{\"active\":0,\"peak\":0}", get("/active").string());
    Thread first = Thread.ofVirtual().start(this::waitLong);
    Thread second = Thread.ofVirtual().start(this::waitLong);
    while (!get("/active").string().equals("{\"active\":2,\"peak\":2}")) {
      Thread.onSpinWait();
    }
    first.interrupt();
    second.interrupt();
    first.join();
    second.join();
    assertEquals("{\"active\":0,\"peak\":2}", get("/active").string());
  }

  @Test
  void unknownPathsAndMethodsAreRefused() throws Exception {
    assertEquals(404, get("/nowhere").status().code());
    assertEquals(404, get("/hello/").status().code());
    Response wrong = routes.handle(request(Method.PUT, "/hello"));
    assertEquals(405, wrong.status().code());
    assertEquals("GET, HEAD", wrong.headers().first("allow"));
    assertEquals("POST", get("/echo").headers().first("allow"));
  }

  private void waitLong() {
    try {
      get("/delay/3600000").close();
    } catch (Exception e) {
      // Interrupted: that is how the test ends it.
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> counters() throws Exception {
    return Json.object(routes.handle(request(Method.POST, "/counters")).string());
  }

  private Response get(String target) throws Exception {
    return routes.handle(request(Method.GET, target));
  }

  private static Request request(Method method, String target) {
    return Request.builder(new Origin("http", "localhost", 80), method, target).build();
  }
}
