package heddle.resilience;

import heddle.client.HttpClient;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.MockServer;
import heddle.transport.names.Resolver;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A client and a server in a world of virtual time. */
final class SimulatedCalls {
  /** Every host is this one. */
  static final Resolver LOCAL = (host, deadline) -> List.of(InetAddress.getLoopbackAddress());

  final SimNetwork network;
  final MockServer server;
  final HttpClient client;

  interface Visit {
    void to(SimulatedCalls world) throws Exception;
  }

  private SimulatedCalls(SimNetwork network, MockServer server, HttpClient client) {
    this.network = network;
    this.server = server;
    this.client = client;
  }

  /** Runs a visit with a client that is made with more than the defaults. */
  static void visit(UnaryOperator<HttpClient.Builder> settings, Visit visit) throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        HttpClient.Builder builder =
            HttpClient.builder().network(network.lasting()).resolver(LOCAL);
        try (MockServer server = MockServer.builder().network(network).start();
            HttpClient client = settings.apply(builder).build()) {
          visit.to(new SimulatedCalls(network, server, client));
        }
      });
    }
  }

  Response get(String path) throws IOException {
    return client.send(Request.get(server.url(path)));
  }

  /** Starts a GET on another thread; the result is when the response was there. */
  CompletableFuture<Duration> start(String url) {
    CompletableFuture<Duration> answered = new CompletableFuture<>();
    network.executor().execute(() -> {
      try {
        client.send(Request.get(url)).close();
        answered.complete(now());
      } catch (Throwable e) {
        answered.completeExceptionally(e);
      }
    });
    return answered;
  }

  Duration now() {
    return Duration.ofNanos(network.clock().nanoTime());
  }

  int inUse() {
    return client.pool().routes().stream().mapToInt(RouteSnapshot::inUse).sum();
  }

  void until(BooleanSupplier condition) throws IOException {
    while (!condition.getAsBoolean()) {
      network.sleep(Duration.ofMillis(1));
    }
  }
}
