package heddle.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * A server in a simulated world with virtual time, and clients of it that speak HTTP/2 by script.
 */
final class Http2World {
  /** What one client does. */
  @FunctionalInterface
  interface Script {
    void run(Http2World world, Http2Peer client) throws Exception;
  }

  final SimNetwork network;
  final HttpServer server;

  private Http2World(SimNetwork network, HttpServer server) {
    this.network = network;
    this.server = server;
  }

  /** A handler whose answers wait until the latch is open. */
  static Handler answeringAfter(CountDownLatch mayEnd, String content) {
    return request -> {
      mayEnd.await();
      return Response.ok(content);
    };
  }

  static void play(Handler handler, Script script) throws Exception {
    play(handler, UnaryOperator.identity(), script);
  }

  static void play(Handler handler, UnaryOperator<HttpServer.Builder> options, Script script)
      throws Exception {
    play(SimNetwork.builder(), handler, options, script);
  }

  static void play(
      SimNetwork.Builder shape,
      Handler handler,
      UnaryOperator<HttpServer.Builder> options,
      Script script)
      throws Exception {
    try (SimNetwork network = shape.virtualTime().build()) {
      network.run(() -> {
        HttpServer.Builder builder = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .address(InetSocketAddress.createUnresolved("server", 80))
            .handler(handler);
        try (HttpServer server = options.apply(builder).start()) {
          Http2World world = new Http2World(network, server);
          try (Http2Peer client = world.connect()) {
            script.run(world, client);
          }
        }
      });
    }
  }

  /** Another client, which has said nothing yet. */
  Http2Peer connect() throws IOException {
    return Http2Peer.connect(network, server.address());
  }

  long now() {
    return network.clock().nanoTime();
  }

  void assertPassed(long since, int seconds) {
    long passed = now() - since;
    assertTrue(
        passed >= Duration.ofSeconds(seconds).toNanos()
            && passed < Duration.ofSeconds(seconds + 1).toNanos(),
        () -> "after " + Duration.ofNanos(passed) + " instead of " + seconds + " s");
  }

  /** Lets time go on until it holds. */
  void await(String what, BooleanSupplier condition) throws IOException {
    long end = now() + Duration.ofSeconds(5).toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(now() < end, () -> "not within 5 s: " + what);
      network.sleep(Duration.ofMillis(1));
    }
  }
}
