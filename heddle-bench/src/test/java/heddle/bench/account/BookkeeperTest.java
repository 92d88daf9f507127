package heddle.bench.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Trust;
import heddle.bench.result.Figure;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that says what it reads to have counted. */
class BookkeeperTest {

  private final Deque<Integer> counts = new ConcurrentLinkedDeque<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final List<String> closings = new CopyOnWriteArrayList<>();
  private final Deque<String> asked = new ConcurrentLinkedDeque<>();
  private final Bookkeeper bookkeeper = new Bookkeeper();
  private volatile Status created = Status.CREATED;

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.builder()
        .handler(request -> {
          closings.addAll(request.headers().all("Connection"));
          asked.add(request.method() + " " + request.target());
          return request.path().equals("/counters") ? counters() : engine(request);
        })
        .start();
  }

  private Response counters() {
    looks.incrementAndGet();
    Integer count = counts.size() > 1 ? counts.poll() : counts.peek();
    return Response.ok("{\"requests\": " + count + "}");
  }

  /** Counts what is put into it. */
  private Response engine(Request request) {
    if (request.path().endsWith("/_doc")) {
      looks.incrementAndGet();
      return Response.builder(created).build();
    }
    return Response.ok("{\"count\": " + looks.get() + "}");
  }

  private Endpoint endpoint() {
    return endpoint(Counting.REQUESTS);
  }

  private Endpoint endpoint(Counting counting) {
    return new Endpoint(
        List.of(URI.create("http://127.0.0.1:" + server.port())),
        new Trust.Default(),
        "a server",
        counting);
  }

  @Test
  void whatIsStillOnItsWayFromBeforeIsLeftOut() throws Exception {
    counts.addAll(List.of(9, 4, 1, 0));
    bookkeeper.settle(endpoint());
    assertEquals(4, looks.get(), "looks until nothing more came");
  }

  @Test
  void serverInCHasTakenTheCpuTimeOfItsProcessSinceTheLastLook() throws Exception {
    Endpoint process = new Endpoint(
        List.of(URI.create("http://127.0.0.1:1")),
        new Trust.Default(),
        "a server in C",
        Counting.CPU_TIME,
        List.of(ProcessHandle.current()));
    bookkeeper.settle(process);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    while (threads.getCurrentThreadCpuTime() - begin < 100_000_000) {
      Thread.onSpinWait();
    }
    Double micros = bookkeeper.look(process).figures(10.0).get(Figure.SERVER_CPU);
    assertTrue(micros >= 9_000, "100 ms for 10 requests, counted in steps of 10 ms: " + micros);
    assertTrue(
        bookkeeper.look(process).figures(10.0).get(Figure.SERVER_CPU) < micros,
        "the time since the last look, not since the start");
  }

  @Test
  void noConnectionStaysOpenBetweenLooks() throws Exception {
    counts.add(0);
    bookkeeper.look(endpoint());
    assertEquals(List.of("close"), closings);
  }

  @Test
  void serverAtRestIsLookedAtOnce() throws Exception {
    counts.add(0);
    bookkeeper.settle(endpoint());
    assertEquals(1, looks.get());
  }

  @Test
  void serverThatNeverRestsIsNotWaitedForForEver() throws Exception {
    counts.add(7);
    bookkeeper.settle(endpoint());
    assertTrue(looks.get() > 4, "looks: " + looks.get());
  }

  @Test
  void runAtASearchEngineBeginsWithARefreshAndADocumentThatIsInNoCount() throws Exception {
    Endpoint engine = endpoint(Counting.DOCUMENTS);
    bookkeeper.settle(engine);
    assertEquals("POST /races/_doc?refresh=wait_for", asked.peekFirst());
    ServerCounts counts = bookkeeper.look(engine);
    assertNotNull(counts);
    assertEquals(0.0, counts.figures().get(Figure.SERVER_REQUESTS));
  }

  @Test
  void searchEngineThatTakesNoDocumentIsNamed() {
    created = Status.SERVICE_UNAVAILABLE;
    IOException failure =
        assertThrows(IOException.class, () -> bookkeeper.settle(endpoint(Counting.DOCUMENTS)));
    assertTrue(String.valueOf(failure.getMessage()).contains("answers 503"), failure::toString);
  }
}
