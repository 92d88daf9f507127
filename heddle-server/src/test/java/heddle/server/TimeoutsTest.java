package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The server's patience, in virtual time: the defaults, to the second. */
class TimeoutsTest {
  private static final Handler ECHO =
      request -> Response.ok("got " + request.body().string());

  /** What a peer does in a world with one server. */
  @FunctionalInterface
  private interface Script {
    void run(SimNetwork network, HttpServer server, RawPeer peer) throws Exception;
  }

  private static void play(Handler handler, Script script) throws Exception {
    play(handler, UnaryOperator.identity(), script);
  }

  /** Where silence alone is to end what a peer sends. */
  private static HttpServer.Builder anyRate(HttpServer.Builder options) {
    return options.minRate(0, Duration.ZERO);
  }

  private static void play(
      Handler handler, UnaryOperator<HttpServer.Builder> options, Script script) throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        HttpServer.Builder builder = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .address(InetSocketAddress.createUnresolved("server", 80))
            .handler(handler);
        try (HttpServer server = options.apply(builder).start();
            RawPeer peer = RawPeer.connect(server, network)) {
          script.run(network, server, peer);
        }
      });
    }
  }

  private static void assertPassed(SimNetwork network, long since, int seconds) {
    long passed = network.clock().nanoTime() - since;
    assertTrue(
        passed >= Duration.ofSeconds(seconds).toNanos()
            && passed < Duration.ofSeconds(seconds + 1).toNanos(),
        () -> "after " + Duration.ofNanos(passed) + " instead of " + seconds + " s");
  }

  @Test
  void aSlowHeadIsAnswered408HoweverItTrickles() throws Exception {
    play(ECHO, (network, server, peer) -> {
      peer.send("GET / HTTP/1.1\r\nHost: t\r\nA: ");
      long start = network.clock().nanoTime();
      for (int second = 0; second < 9; second++) {
        network.sleep(Duration.ofSeconds(1));
        peer.send("a");
      }
      assertEquals(408, peer.answer().status());
      assertPassed(network, start, 10);
      assertEquals("", peer.rest());
    });
  }

  @Test
  void aHeadHasTheTimeThatTheServerWasGiven() throws Exception {
    play(ECHO, options -> options.headTimeout(Duration.ofSeconds(3)), (network, server, peer) -> {
      peer.send("GET / HTTP/1.1\r\nHost: t\r\nA: ");
      long start = network.clock().nanoTime();
      assertEquals(408, peer.answer().status());
      assertPassed(network, start, 3);
    });
  }

  @Test
  void aConnectionThatSaysNothingIsClosedWithoutAWord() throws Exception {
    play(ECHO, (network, server, peer) -> {
      long start = network.clock().nanoTime();
      assertEquals("", peer.rest());
      assertPassed(network, start, 10);
    });
  }

  @Test
  void anIdleConnectionIsClosedAfterAMinute() throws Exception {
    play(ECHO, (network, server, peer) -> {
      for (int i = 0; i < 3; i++) {
        assertEquals("got ", peer.get("/").answer().body());
        network.sleep(Duration.ofSeconds(59));
      }
      assertEquals("got ", peer.get("/").answer().body());
      long start = network.clock().nanoTime();
      assertEquals("", peer.rest());
      assertPassed(network, start, 60);
    });
  }

  @Test
  void aLongRunningRequestIsNotTakenForAnIdleConnection() throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      Handler slow = request -> {
        network.sleep(Duration.ofMinutes(10));
        return Response.ok("slow");
      };
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
                .network(network)
                .executor(network.executor())
                .handler(slow)
                .start();
            RawPeer peer = RawPeer.connect(server, network)) {
          assertEquals("slow", peer.get("/").answer().body());
          assertEquals("slow", peer.get("/").answer().body());
        }
      });
    }
  }

  @Test
  void aSilentBodyIsAnswered408WhetherItIsSmallOrLarge() throws Exception {
    for (int length : new int[] {10, 1_000_000}) {
      play(ECHO, TimeoutsTest::anyRate, (network, server, peer) -> {
        peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + length + "\r\n\r\nbegin");
        network.sleep(Duration.ofSeconds(20));
        peer.send("more");
        long start = network.clock().nanoTime();
        assertEquals(408, peer.answer().status());
        assertPassed(network, start, 30);
        assertEquals("", peer.rest());
      });
    }
  }

  @Test
  void aBodyThatKeepsComingMayTakeItsTime() throws Exception {
    play(ECHO, TimeoutsTest::anyRate, (network, server, peer) -> {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\n");
      for (int i = 0; i < 10; i++) {
        network.sleep(Duration.ofSeconds(29));
        peer.send("x");
      }
      assertEquals("got xxxxxxxxxx", peer.answer().body());
    });
  }

  @Test
  void aSilenceThatASlowHandlerCausesIsNotThePeersFault() throws Exception {
    try (SimNetwork network =
        SimNetwork.builder().virtualTime().sendBuffer(1000).build()) {
      Handler slow = request -> {
        network.sleep(Duration.ofMinutes(5));
        return Response.ok("" + request.body().bytes().length);
      };
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
                .network(network)
                .executor(network.executor())
                .handler(slow)
                .start();
            RawPeer peer = RawPeer.connect(server, network)) {
          peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 300000\r\n\r\n");
          peer.send("x".repeat(300_000));
          assertEquals("300000", peer.answer().body());
        }
      });
    }
  }

  @Test
  void aPeerThatDoesNotCloseAfterTheLastAnswerIsCut() throws Exception {
    play(ECHO, (network, server, peer) -> {
      peer.send("GET / HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
      assertEquals("got ", peer.answer().body());
      assertEquals("", peer.rest());
      assertEquals(1, server.connections());
      network.sleep(Duration.ofSeconds(3));
      assertEquals(0, server.connections());
    });
  }

  @Test
  void closingWaitsTenSecondsForARunningRequestAndNoLonger() throws Exception {
    SimNetwork network = SimNetwork.builder().virtualTime().build();
    try (network) {
      Handler endless = request -> {
        network.sleep(Duration.ofHours(1));
        return Response.ok("never");
      };
      network.run(() -> closeWhileRunning(network, endless));
    }
  }

  private static void closeWhileRunning(SimNetwork network, Handler endless) throws IOException {
    HttpServer server = HttpServer.builder()
        .network(network)
        .executor(network.executor())
        .handler(endless)
        .start();
    try (RawPeer peer = RawPeer.connect(server, network)) {
      peer.get("/");
      network.sleep(Duration.ofSeconds(1));
      assertEquals(1, server.active());
      long start = network.clock().nanoTime();
      server.close();
      assertPassed(network, start, 10);
      assertEquals(0, server.active());
      assertEquals("", peer.rest());
    }
  }
}
