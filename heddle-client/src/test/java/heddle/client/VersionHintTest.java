package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.coalescing.TestAuthority;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.testkit.TlsNetwork;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.names.Resolver;
import heddle.transport.time.Deadline;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The first calls to an origin, which come at the same time, over a network with 100 ms from one
 * end to the other and back: how many connections they open and how long they take.
 */
@Timeout(60)
final class VersionHintTest {
  private static final TestAuthority AUTHORITY = new TestAuthority();
  private static final Duration ONE_WAY = Duration.ofMillis(50);
  private static final int CALLS = 5;

  /** What the name service says. */
  private Set<HttpVersion> versions = Set.of();

  private int port = 443;

  private final Resolver resolver = new Resolver() {
    @Override
    public List<InetAddress> resolve(String host, Deadline deadline) {
      return List.of(InetAddress.getLoopbackAddress());
    }

    @Override
    public ResolvedHost lookUp(String host, Deadline deadline) {
      return new ResolvedHost(resolve(host, deadline), null, versions);
    }
  };

  private record Result(int connections, Duration took) {}

  private interface Serving {
    AutoCloseable start(SimNetwork network, InetSocketAddress address) throws IOException;
  }

  private static TlsOptions identity() {
    return AUTHORITY.identify(TlsOptions.builder(), "a.test").build();
  }

  private ClientWorld world() {
    return new ClientWorld(
        SimNetwork.builder().latency(ONE_WAY, ONE_WAY).deterministic(),
        settings -> settings.tls(AUTHORITY.trusting().build()).resolver(resolver));
  }

  private Result firstCalls(Serving serving) throws Exception {
    try (ClientWorld world = world()) {
      Result[] result = new Result[1];
      world.network.run(() -> {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (AutoCloseable unused = serving.start(world.network, address)) {
          Duration took = call(world, CALLS);
          result[0] = new Result(world.network.connections().size(), took);
          world.client.close();
        }
      });
      return result[0];
    }
  }

  private Result callHttp11() throws Exception {
    return firstCalls((network, address) -> http11(network, address, null));
  }

  private Result callHttp2() throws Exception {
    return firstCalls(VersionHintTest::http2);
  }

  private static MockServer http2(SimNetwork network, InetSocketAddress address)
      throws IOException {
    return MockServer.builder()
        .network(network)
        .address(address)
        .tls(identity())
        .handler(request -> MockResponse.ok("hello"))
        .start();
  }

  @Test
  void withoutAHintOneConnectionFindsOutTheVersion() throws Exception {
    Result http2 = callHttp2();
    assertEquals(1, http2.connections());
    assertEquals(Duration.ofMillis(300), http2.took());
    Result http11 = callHttp11();
    assertEquals(CALLS, http11.connections());
    assertEquals(Duration.ofMillis(500), http11.took());
  }

  @Test
  void callersOfAnHttp11OriginConnectAtTheSameTime() throws Exception {
    versions = Set.of(HttpVersion.HTTP_1_1);
    Result http11 = callHttp11();
    assertEquals(CALLS, http11.connections());
    assertTrue(http11.took().compareTo(Duration.ofMillis(400)) < 0, http11::toString);
  }

  @Test
  void hintThatAllowsHttp2ChangesNothing() throws Exception {
    versions = Set.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2);
    assertEquals(1, callHttp2().connections());
    assertEquals(Duration.ofMillis(500), callHttp11().took());
  }

  /** It costs connections, no more. */
  @Test
  void wrongHintLeavesTheChoiceToTls() throws Exception {
    versions = Set.of(HttpVersion.HTTP_1_1);
    Result http2 = callHttp2();
    assertEquals(CALLS, http2.connections());
    assertEquals(Duration.ofMillis(300), http2.took());
  }

  /** RFC 9460 §9.1: the records of other ports have other names. */
  @Test
  void hintIsForTheDefaultPortAlone() throws Exception {
    versions = Set.of(HttpVersion.HTTP_1_1);
    port = 8443;
    assertEquals(Duration.ofMillis(500), callHttp11().took());
  }

  // ---- Alt-Svc (RFC 7838)

  private static ScriptedPeer http11(
      SimNetwork network, InetSocketAddress address, @Nullable String field) throws IOException {
    return ScriptedPeer.each(
        TlsNetwork.over(network, identity(), "http/1.1"), address, connection -> {
          connection.expectHead();
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n"
              + (field == null ? "" : "Alt-Svc: " + field + "\r\n")
              + "\r\nhello");
        });
  }

  private Duration call(ClientWorld world, int number) throws Exception {
    Duration began = world.now();
    List<ClientWorld.Running> calls = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      calls.add(world.start(Request.get("https://a.test:" + port + "/")));
    }
    for (ClientWorld.Running call : calls) {
      world.assertAnswered(call, "hello");
    }
    world.until(() -> world.inUse() == 0);
    return world.now().minus(began);
  }

  /** A server that speaks HTTP/1.1 is replaced by one that speaks HTTP/2 as well. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          h2=":443"                                 | 1
          h3=":443"; ma=9, h2="a.test:443"; ma=60   | 1
          h3=":443"                                 | 5
          h2=":8443"                                | 5
          h2="b.test:443"                           | 5
          h2=":443"; ma=0                           | 5
          clear                                     | 5
          h2=":443                                  | 5
                                                    | 5
          """)
  void originThatAdvertisesHttp2IsAskedByOneConnectionAgain(@Nullable String field, int connections)
      throws Exception {
    try (ClientWorld world = world()) {
      world.network.run(() -> {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (ScriptedPeer unused = http11(world.network, address, field)) {
          call(world, 1);
        }
        int before = world.network.connections().size();
        try (MockServer unused = http2(world.network, address)) {
          call(world, CALLS);
        }
        assertEquals(connections, world.network.connections().size() - before);
        world.client.close();
      });
    }
  }

  @Test
  void originThatAdvertisesWhatItDoesNotSpeakIsAskedOnce() throws Exception {
    try (ClientWorld world = world()) {
      world.network.run(() -> {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (ScriptedPeer unused = http11(world.network, address, "h2=\":443\"; ma=60")) {
          call(world, 1);
          Duration finding = call(world, CALLS);
          Duration known = call(world, CALLS);
          assertTrue(
              known.plusMillis(100).compareTo(finding) < 0, () -> finding + ", then " + known);
          world.network.sleep(Duration.ofSeconds(60));
          call(world, 1);
          assertTrue(call(world, CALLS).compareTo(known.plusMillis(100)) > 0);
        }
        world.client.close();
      });
    }
  }
}
