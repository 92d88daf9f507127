package heddle.client.coalescing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.client.spi.Route;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.syntax.Host;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.testkit.TlsNetwork;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.Network;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A client that may use the connections of other origins, and servers of several names, in virtual
 * time. Of all names that end with {@code a.test} and {@code b.test} there is one address.
 */
final class NamedServers implements AutoCloseable {
  static final TestAuthority AUTHORITY = new TestAuthority();
  static final InetAddress SHARED = Host.address("127.0.0.1");
  static final InetAddress OTHER = Host.address("127.0.0.2");
  static final int PORT = 443;

  final ClientWorld world;
  final Map<String, InetAddress> addresses = new ConcurrentHashMap<>();
  final List<String> lookedUp = new CopyOnWriteArrayList<>();

  /** Hosts whose name service is silent. */
  final List<String> silent = new CopyOnWriteArrayList<>();

  /** What a test does with the server at the shared address. */
  @FunctionalInterface
  interface Visit {
    void to(MockServer server) throws Exception;
  }

  NamedServers() {
    this(UnaryOperator.identity());
  }

  /** With a client that is made with more than the setting in question. */
  NamedServers(UnaryOperator<HttpClient.Builder> settings) {
    world = new ClientWorld(
        SimNetwork.builder(),
        builder -> settings.apply(builder
            .tls(AUTHORITY.trusting().build())
            .resolver(this::lookUp)
            .coalesceOrigins(true)));
  }

  private List<InetAddress> lookUp(String host, Deadline deadline) throws IOException {
    lookedUp.add(host);
    if (silent.contains(host)) {
      Waiting.until(() -> false, world.network.loop(), deadline, "waiting for an answer");
    }
    InetAddress named = addresses.get(host);
    if (named == null && !host.matches(".*[ab]\\.test\\.?|127\\.0\\.0\\.1")) {
      throw new UnknownHostException(host);
    }
    return List.of(named == null ? SHARED : named);
  }

  /** Of a server that shows a certificate for these hosts. */
  static TlsOptions options(String... hosts) {
    return AUTHORITY.identify(TlsOptions.builder(), hosts).build();
  }

  void visit(TlsOptions options, Visit visit) throws Exception {
    world.network.run(() -> {
      try (MockServer server = server(SHARED, PORT, options)) {
        visit.to(server);
        world.client.close();
      }
    });
  }

  MockServer server(InetAddress address, int port, TlsOptions options) throws IOException {
    return MockServer.builder()
        .network(world.network)
        .address(new InetSocketAddress(address, port))
        .tls(options)
        .handler(request -> MockResponse.ok(request.target()))
        .start();
  }

  /** A server for both hosts whose connections speak HTTP/2 as these scripts do. */
  ScriptedPeer scripted(ScriptedPeer.Script... scripts) throws IOException {
    Network secure = TlsNetwork.over(world.network, options("a.test", "b.test"), "h2");
    AtomicInteger next = new AtomicInteger();
    return ScriptedPeer.each(
        secure,
        new InetSocketAddress(SHARED, PORT),
        connection -> scripts[next.getAndIncrement()].run(connection));
  }

  /** Makes a call that is answered with its path. */
  void get(String url) throws IOException {
    assertAnswered(Request.get(url));
  }

  void assertAnswered(Request request) throws IOException {
    try (Response response = world.client.send(request)) {
      assertEquals(200, response.status().code());
      assertEquals(request.path(), response.string());
    }
  }

  RouteSnapshot route(String host) {
    return world.pool().route(new Route(Origin.https(host, PORT)));
  }

  @Override
  public void close() {
    world.close();
  }
}
