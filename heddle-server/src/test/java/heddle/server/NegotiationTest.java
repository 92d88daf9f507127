package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Response;
import heddle.testkit.SimNetwork;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which protocol a client speaks shows in its first bytes, however they come. */
class NegotiationTest {
  private interface Script {
    void run(SimNetwork network, RawPeer peer) throws Exception;
  }

  private static void play(int maxReadBytes, Script script) throws Exception {
    try (SimNetwork network =
        SimNetwork.builder().seed(3).maxReadBytes(maxReadBytes).virtualTime().build()) {
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
                .network(network)
                .executor(network.executor())
                .address(InetSocketAddress.createUnresolved("server", 80))
                .handler(request -> Response.ok(request.method() + " " + request.target()))
                .start();
            RawPeer peer = RawPeer.connect(server, network)) {
          script.run(network, peer);
        }
      });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "PRINT", "PRI", "P", "PR"})
  void anyMethodMayBeginARequestOfHttp1(String method) throws Exception {
    for (int read : new int[] {1, 7, 1000}) {
      play(read, (network, peer) -> {
        peer.send(method + " /a HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n");
        assertEquals(method + " /a", peer.answer().body());
      });
    }
  }

  @Test
  void thePrefaceOfHttp2IsToldWhereverItIsCut() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      SimNetwork.Builder shape = SimNetwork.builder().seed(seed).maxReadBytes(1 + seed);
      Http2World.play(shape, request -> Response.ok(""), b -> b, (world, client) -> {
        client.handshake();
        client.sendGet(1, "/");
        client.expectResponse(1, 200);
      });
    }
  }

  @Test
  void aBeginningThatMayBecomeEitherIsWaitedForNoLongerThanAHead() throws Exception {
    play(1000, (network, peer) -> {
      long start = network.clock().nanoTime();
      peer.send("PRI * HTTP/2.0\r\n");
      assertEquals("", peer.rest());
      assertEquals(10, Duration.ofNanos(network.clock().nanoTime() - start).toSeconds());
    });
  }

  @Test
  void anotherVersionOfThePrefaceIsNoHttp() throws Exception {
    play(1000, (network, peer) -> {
      peer.send("PRI * HTTP/3.0\r\nHost: t\r\n\r\n");
      assertEquals(505, peer.answer().status());
    });
  }
}
