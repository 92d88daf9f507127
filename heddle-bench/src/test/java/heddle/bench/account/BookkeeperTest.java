package heddle.bench.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Trust;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that says what it is told to have counted. */
class BookkeeperTest {

  private final Deque<Integer> counts = new ConcurrentLinkedDeque<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final Bookkeeper bookkeeper = new Bookkeeper();
  private HttpServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.builder()
        .handler(_ -> {
          looks.incrementAndGet();
          Integer count = counts.size() > 1 ? counts.poll() : counts.peek();
          return Response.ok("{\"requests\": " + count + "}");
        })
        .start();
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  private Endpoint endpoint() {
    return new Endpoint(
        List.of(URI.create("http://127.0.0.1:" + server.port())),
        new Trust.Default(),
        "a server",
        Counting.REQUESTS);
  }

  @Test
  void whatIsStillOnItsWayFromBeforeIsLeftOut() throws Exception {
    counts.addAll(List.of(9, 4, 1, 0));
    bookkeeper.settle(endpoint());
    assertEquals(4, looks.get(), "looks until nothing more came");
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
}
