package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.server.proxy.TrustedProxies;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.TestIdentity;
import java.io.EOFException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections behind a proxy that speaks the PROXY protocol. */
@Timeout(60)
class ProxyProtocolTest {
  private static final TrustedProxies LOOPBACK = TrustedProxies.of("127.0.0.0/8", "::1");
  private static final TrustedProxies ELSEWHERE = TrustedProxies.of("192.0.2.99");

  private static final String TEXT = "PROXY TCP4 192.0.2.1 198.51.100.2 56324 8181\r\n";
  private static final String BINARY = "\r\n\r\n\0\r\nQUIT\n\u0021\u0011\0\u0010"
      + "\u00c0\0\u0002\u0001\u00c6\u0033\u0064\u0002\u00dc\u0004\u001f\u00f5\u0004\0\u0001A";
  private static final String UNKNOWN = "PROXY UNKNOWN\r\n";

  /** Without a Host, a request is for the address that the client connected to. */
  private static final String REQUEST = "GET /x HTTP/1.0\r\n\r\n";

  private final AtomicInteger requests = new AtomicInteger();

  private interface Script {
    void run(SimNetwork network, HttpServer server, RawPeer peer) throws Exception;
  }

  private HttpServer.Builder server() {
    return HttpServer.builder().handler(request -> {
      requests.incrementAndGet();
      return Response.ok(request.origin() + request.path());
    });
  }

  private void play(int readBytes, UnaryOperator<HttpServer.Builder> options, Script script)
      throws Exception {
    try (SimNetwork network =
        SimNetwork.builder().maxReadBytes(readBytes).virtualTime().build()) {
      network.run(() -> {
        HttpServer.Builder builder = server()
            .network(network)
            .executor(network.executor())
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
        try (HttpServer server = options.apply(builder).start();
            RawPeer peer = RawPeer.connect(server, network)) {
          script.run(network, server, peer);
        }
      });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TEXT, BINARY})
  void theAddressesOfTheHeaderAreThoseOfTheConnection(String header) throws Exception {
    for (int read : new int[] {1, 5, 10_000}) {
      play(read, builder -> builder.proxyProtocol(LOOPBACK), (network, server, peer) -> {
        RawPeer.Answer answer = peer.send(header + REQUEST).answer();
        assertEquals(200, answer.status());
        assertTrue(answer.body().startsWith("http://198.51.100.2:81"), answer.body());
        assertEquals(0, server.clientFaults());
      });
    }
  }

  @Test
  void aHeaderWithoutAddressesKeepsThoseOfTheConnection() throws Exception {
    play(10_000, builder -> builder.proxyProtocol(LOOPBACK), (network, server, peer) -> {
      String body = peer.send(UNKNOWN + REQUEST).answer().body();
      assertEquals("http://localhost:80/x", body);
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {REQUEST, "PROXY TCP4 nonsense\r\n", "PRI * HTTP/2.0\r\n\r\n"})
  void aTrustedProxyMustSendAHeader(String instead) throws Exception {
    for (int read : new int[] {1, 10_000}) {
      play(read, builder -> builder.proxyProtocol(LOOPBACK), (network, server, peer) -> {
        assertThrows(EOFException.class, () -> peer.send(instead).line());
        assertEquals(1, server.clientFaults());
        assertEquals(0, requests.get());
      });
    }
  }

  @Test
  void theHeaderHasTheTimeOfAHead() throws Exception {
    play(10_000, builder -> builder.proxyProtocol(LOOPBACK), (network, server, peer) -> {
      peer.send("PROXY TCP4 ");
      long start = network.clock().nanoTime();
      for (int second = 0; second < 8; second++) {
        network.sleep(Duration.ofSeconds(1));
        peer.send("1");
      }
      assertEquals("", peer.rest());
      assertEquals(10, Duration.ofNanos(network.clock().nanoTime() - start).toSeconds());
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {TEXT, BINARY, UNKNOWN})
  void aHeaderFromAnotherPeerIsRefused(String header) throws Exception {
    for (TrustedProxies trusted : new TrustedProxies[] {ELSEWHERE, null}) {
      UnaryOperator<HttpServer.Builder> options =
          trusted == null ? UnaryOperator.identity() : builder -> builder.proxyProtocol(trusted);
      play(10_000, options, (network, server, peer) -> {
        assertEquals(400, peer.send(header + REQUEST).answer().status());
        assertEquals("", peer.rest());
        assertEquals(1, server.clientFaults());
        assertEquals(0, requests.get());
      });
    }
  }

  @Test
  void otherPeersAreServedWithoutAHeader() throws Exception {
    play(
        10_000,
        builder -> builder.proxyProtocol(ELSEWHERE),
        (network, server, peer) ->
            assertEquals("http://localhost:80/x", peer.send(REQUEST).answer().body()));
  }

  @Test
  void aConnectionThatIsRefusedIsReadBehindItsHeader() throws Exception {
    UnaryOperator<HttpServer.Builder> options =
        builder -> builder.proxyProtocol(LOOPBACK).maxConnections(1);
    play(10_000, options, (network, server, peer) -> {
      try (RawPeer second = RawPeer.connect(server, network)) {
        assertEquals(503, second.send(TEXT + REQUEST).answer().status());
      }
      assertEquals(200, peer.send(TEXT + REQUEST).answer().status());
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void theHeaderComesBeforeTls(String version) throws Exception {
    TestIdentity identity = TestIdentity.forNames("a.test");
    try (HttpServer server =
            server().tls(identity.server(version)).proxyProtocol(LOOPBACK).start();
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      plain.setSoTimeout(20_000);
      plain.getOutputStream().write(TEXT.getBytes(ISO_8859_1));
      try (SSLSocket socket = (SSLSocket) identity
          .trusting()
          .getSocketFactory()
          .createSocket(plain, "a.test", server.port(), true)) {
        socket.getOutputStream().write(REQUEST.getBytes(ISO_8859_1));
        String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        assertTrue(answer.endsWith("\r\n\r\nhttps://198.51.100.2:8181/x"), answer);
      }
    }
  }

  @Test
  void anotherPeersHeaderBeforeTlsIsRefused() throws Exception {
    TestIdentity identity = TestIdentity.forNames("a.test");
    try (HttpServer server =
            server().tls(identity.server()).proxyProtocol(ELSEWHERE).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(TEXT);
      peer.rest(); // An alert, and the end.
      assertEquals(0, requests.get());
    }
  }
}
