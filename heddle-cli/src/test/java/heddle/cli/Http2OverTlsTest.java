package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.TlsException;
import heddle.server.HttpServer;
import heddle.server.spi.Handler;
import heddle.testkit.Direction;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimConnection;
import heddle.testkit.SimNetwork;
import heddle.testkit.TlsNetwork;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What HTTP/2 asks of TLS, and how connections end on which both are spoken. */
@Timeout(120)
final class Http2OverTlsTest {
  private static final InetSocketAddress HERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String WEAK = "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256";

  private final SelfSigned self;
  private final TlsOptions trusting;
  private final TlsOptions being;
  private final TlsOptions weaklyTrusting;
  private final TlsOptions weaklyBeing;

  Http2OverTlsTest() throws IOException {
    self = SelfSigned.create();
    trusting = TlsOptions.builder().trust(List.of(self.certificate())).build();
    being = identified().build();
    weaklyTrusting = TlsOptions.builder()
        .trust(List.of(self.certificate()))
        .protocols("TLSv1.2")
        .cipherSuites(WEAK)
        .build();
    weaklyBeing = identified().protocols("TLSv1.2").cipherSuites(WEAK).build();
  }

  private TlsOptions.Builder identified() {
    return TlsOptions.builder().identity(List.of(self.certificate()), self.key());
  }

  private static HttpClient client(
      SimNetwork network, TlsOptions options, @Nullable HttpVersion version) {
    HttpClient.Builder builder = HttpClient.builder()
        .network(network)
        .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress()))
        .tls(options);
    return version == null ? builder.build() : builder.version(version).build();
  }

  private static HttpServer server(SimNetwork network, TlsOptions options, Handler handler)
      throws IOException {
    return HttpServer.builder()
        .network(network)
        .executor(network.executor())
        .address(HERE)
        .tls(options)
        .idleTimeout(Duration.ofSeconds(30))
        .handler(handler)
        .closeTimeout(Duration.ZERO)
        .start();
  }

  private static String url(int port) {
    return "https://localhost:" + port + "/";
  }

  // ---- RFC 9113 §3.2

  @Test
  void http2ThatIsDemandedFailsAgainstAServerWithoutAlpn() throws Exception {
    try (SimNetwork network = SimNetwork.create();
        var listening = TlsNetwork.over(network, being).listen(HERE, 1, channel -> {});
        HttpClient client = client(network, trusting, HttpVersion.HTTP_2)) {
      int port = ((InetSocketAddress) listening.address()).getPort();
      TlsException failure =
          assertThrows(TlsException.class, () -> client.send(Request.get(url(port))));
      assertEquals(TlsException.Reason.NO_COMMON_PROTOCOL, failure.reason());
      assertEquals(Phase.TLS, failure.at().phase());
      String message = failure.getMessage();
      assertTrue(message.contains("localhost:" + port), message);
      assertTrue(message.contains("did not agree to h2, which alone was offered"), message);
      assertEquals(0, client.pool().open());
    }
  }

  // ---- RFC 9113 §9.2.2

  @Test
  void serverThatChoosesAProhibitedSuiteIsToldSoAndTheCallFails() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    try (SimNetwork network = SimNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(
            TlsNetwork.over(network, weaklyBeing, "h2"), Http2Peer.server(h2 -> {
              h2.connection().expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
              h2.expectSettings();
              h2.expectGoAway(ErrorCode.INADEQUATE_SECURITY);
              h2.expectClosed();
              told.countDown();
            }));
        HttpClient client = client(network, trusting, null)) {
      TlsException failure =
          assertThrows(TlsException.class, () -> client.send(Request.get(url(peer.port()))));
      assertEquals(TlsException.Reason.NO_COMMON_CIPHER, failure.reason());
      String message = failure.getMessage();
      assertTrue(message.contains("localhost:" + peer.port()), message);
      assertTrue(message.contains(WEAK + " of TLSv1.2, which HTTP/2 prohibits"), message);
      assertTrue(told.await(20, TimeUnit.SECONDS));
      assertEquals(0, client.pool().open());
    }
  }

  @Test
  void clientThatAllowsProhibitedSuitesOnlyIsToldSo() throws Exception {
    try (SimNetwork network = SimNetwork.create();
        HttpServer server = server(network, being, request -> Response.ok("never"));
        Http2Peer client =
            Http2Peer.connect(TlsNetwork.over(network, weaklyTrusting, "h2"), server.address())) {
      client.expectSettings();
      client.expectGoAway(ErrorCode.INADEQUATE_SECURITY);
      client.expectEnd();
      assertEquals(0, server.active());
    }
  }

  @Test
  void whereOnlyProhibitedSuitesCanBeChosenHttp11IsAgreedOn() throws Exception {
    try (SimNetwork network = SimNetwork.create();
        HttpServer strong = server(network, being, request -> Response.ok("strong"));
        HttpServer weak = server(network, weaklyBeing, request -> Response.ok("weak"));
        HttpClient weakClient = client(network, weaklyTrusting, null);
        HttpClient strongClient = client(network, trusting, null)) {
      try (Response response = weakClient.send(Request.get(url(strong.port())))) {
        assertEquals("strong", response.string());
        assertEquals(HttpVersion.HTTP_1_1, response.version());
      }
      try (Response response = strongClient.send(Request.get(url(weak.port())))) {
        assertEquals("weak", response.string());
        assertEquals(HttpVersion.HTTP_1_1, response.version());
      }
      try (Response response = strongClient.send(Request.get(url(strong.port())))) {
        assertEquals(HttpVersion.HTTP_2, response.version());
      }
    }
  }

  // ---- the end of a connection

  private static void silence(SimNetwork network) {
    SimConnection connection = network.connections().getFirst();
    connection.stall(Direction.TO_CLIENT);
    connection.stall(Direction.TO_SERVER);
  }

  /** A world that gives the threads of handshakes time to compute before its own goes on. */
  private static SimNetwork patient() {
    return SimNetwork.builder().virtualTime().settle(Duration.ofMillis(50)).build();
  }

  /** Since the last frame, which may have come a little earlier. */
  private static void assertTwentySeconds(Duration took) {
    assertTrue(took.toMillis() >= 19_500 && took.toMillis() <= 21_000, took::toString);
  }

  private static Duration now(SimNetwork network) {
    return Duration.ofNanos(network.clock().nanoTime());
  }

  @Test
  void peersThatFallSilentArePingedAndGivenUpOnBothSides() throws Exception {
    try (SimNetwork network = patient()) {
      network.run(() -> {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch handled = new CountDownLatch(1);
        Handler handler = request -> {
          if (request.path().equals("/greeting")) {
            return Response.ok("hello");
          }
          handled.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
          return Response.ok("late");
        };
        try (HttpServer server = server(network, being, handler);
            HttpClient client = client(network, trusting, null)) {
          assertEquals(
              "hello", client.send(Request.get(url(server.port()) + "greeting")).string());
          CompletableFuture<Response> call = new CompletableFuture<>();
          network
              .threadFactory()
              .newThread(() -> {
                try {
                  // A GET would be sent again elsewhere.
                  call.complete(client.send(Request.post(url(server.port()), Body.of("x"))));
                } catch (IOException | RuntimeException e) {
                  call.completeExceptionally(e);
                }
              })
              .start();
          handled.await();
          Duration start = now(network);
          silence(network);
          // No periodic checks: each step of a simulation with such long timeouts takes real time.
          ExecutionException ended = assertThrows(ExecutionException.class, call::get);
          ConnectionLostException failure =
              assertInstanceOf(ConnectionLostException.class, ended.getCause());
          assertTrue(failure.getMessage().contains("PING"), failure.getMessage());
          assertTwentySeconds(now(network).minus(start));
          interrupted.await();
          assertTwentySeconds(now(network).minus(start));
        }
      });
    }
  }

  @Test
  void callGoesElsewhereAfterAGoAway() throws Exception {
    try (SimNetwork network = patient()) {
      network.run(() -> {
        try (HttpServer server = server(network, being, request -> Response.ok("fine"));
            HttpClient client = client(network, trusting, null)) {
          for (int i = 1; i <= 3; i++) {
            try (Response response = client.send(Request.get(url(server.port())))) {
              assertEquals("fine", response.string());
              assertEquals(HttpVersion.HTTP_2, response.version());
            }
            assertEquals(i, network.connections().size());
            // The server says GOAWAY to a connection that was idle for 30 s, and closes it.
            network.sleep(Duration.ofSeconds(31));
            assertEquals(0, client.pool().open());
          }
        }
      });
    }
  }

  @Test
  void callThatAGoAwayHasLeftOutIsSentAgain() throws Exception {
    try (SimNetwork network = SimNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(
            TlsNetwork.over(network, being, "h2"),
            Http2Peer.server(h2 -> {
              h2.handshake();
              h2.expectHeaders();
              h2.sendGoAway(0, ErrorCode.NO_ERROR);
              h2.expectGoAway(ErrorCode.NO_ERROR);
              h2.expectClosed();
            }),
            Http2Peer.server(h2 -> {
              h2.handshake();
              h2.sendResponse(h2.expectHeaders().streamId(), 200, "elsewhere");
            }));
        HttpClient client = client(network, trusting, HttpVersion.HTTP_2)) {
      assertEquals("elsewhere", client.send(Request.get(url(peer.port()))).string());
    }
  }
}
