package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.http.Status;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time between the announcement that a server closes and its end, in virtual time. */
@Timeout(60)
class DrainTest {
  private static final Duration DELAY = Duration.ofSeconds(5);

  private final AtomicReference<HttpServer> running = new AtomicReference<>();

  private interface Script {
    void run(SimNetwork network, HttpServer server) throws Exception;
  }

  private void play(Duration delay, Script script) throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        HttpServer server = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .address(InetSocketAddress.createUnresolved("server", 80))
            .drainDelay(delay)
            .handler(request -> running.get().isDraining()
                ? Response.builder(Status.SERVICE_UNAVAILABLE).build()
                : Response.ok("ready"))
            .start();
        running.set(server);
        try (server) {
          script.run(network, server);
        }
      });
    }
  }

  private static int check(SimNetwork network, HttpServer server) throws IOException {
    try (RawPeer peer = RawPeer.connect(server, network)) {
      return peer.get("/ready").answer().status();
    }
  }

  private static Duration timeToClose(SimNetwork network, HttpServer server) {
    long start = network.clock().nanoTime();
    server.close();
    return Duration.ofNanos(network.clock().nanoTime() - start);
  }

  @Test
  void closingServerAnswersChecksUntilTheDelayIsOver() throws Exception {
    play(DELAY, (network, server) -> {
      assertFalse(server.isDraining());
      assertEquals(200, check(network, server));
      network.executor().execute(server::close);
      network.sleep(Duration.ofSeconds(1));
      assertTrue(server.isDraining());
      assertEquals(503, check(network, server));
      network.sleep(Duration.ofSeconds(3));
      assertEquals(503, check(network, server));
      network.sleep(Duration.ofSeconds(2));
      assertThrows(ConnectException.class, () -> check(network, server));
    });
  }

  @Test
  void delayBeginsWithTheFirstAnnouncement() throws Exception {
    play(DELAY, (network, server) -> {
      server.drain();
      assertEquals(503, check(network, server));
      network.sleep(Duration.ofSeconds(2));
      server.drain();
      assertEquals(503, check(network, server));
      assertEquals(3, timeToClose(network, server).toSeconds());
    });
  }

  @Test
  void drainedServerServesUntilItIsClosed() throws Exception {
    play(Duration.ZERO, (network, server) -> {
      server.drain();
      network.sleep(Duration.ofHours(1));
      assertEquals(503, check(network, server));
      assertEquals(0, timeToClose(network, server).toSeconds());
    });
  }

  @Test
  void anInterruptEndsTheDelay() throws Exception {
    play(Duration.ofHours(1), (network, server) -> {
      Thread.currentThread().interrupt();
      assertEquals(0, timeToClose(network, server).toSeconds());
      assertTrue(Thread.interrupted());
    });
  }

  @Test
  void delayMustNotBeNegative() {
    Duration negative = Duration.ofSeconds(-1);
    assertThrows(IllegalArgumentException.class, () -> HttpServer.builder().drainDelay(negative));
  }
}
