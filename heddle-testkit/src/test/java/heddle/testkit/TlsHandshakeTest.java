package heddle.testkit;

import static heddle.testkit.ChannelWorld.text;
import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.TlsException.Reason;
import heddle.transport.DeadlinePassedException;
import heddle.transport.SecureChannel;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import heddle.transport.tls.TlsOptions.ClientAuthentication;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes that succeed, and what they settle. */
@Timeout(60)
class TlsHandshakeTest {
  @AutoClose
  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  private static TlsOptions.Builder server() {
    return TestCertificates.being(AUTHORITY.identity(HOST));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void eachVersionCarriesBytesBothWays(String version) throws Exception {
    world.server = new JsseTls(server().protocols(version).build());
    TlsWorld.Pair pair = world.pair();
    assertEquals(version, pair.client().session().getProtocol());
    assertEquals(version, pair.server().session().getProtocol());
    pair.client().write(text("question"), world.soon());
    pair.atServer().awaitText("question");
    pair.server().write(text("answer"), world.soon());
    pair.atClient().awaitText("answer");
  }

  @Test
  void bothEndsLearnTheProtocolThatTheServerPrefers() throws Exception {
    world.serverProtocols = List.of("h2", "http/1.1");
    TlsWorld.Pair pair = world.pair("http/1.1", "h2");
    assertEquals("h2", pair.client().applicationProtocol());
    assertEquals("h2", pair.server().applicationProtocol());
  }

  @Test
  void noProtocolIsChosenWhereOneSideNamesNone() throws Exception {
    assertNull(world.connect("h2").applicationProtocol());
    assertNull(world.accepted().applicationProtocol());
    world.serverProtocols = List.of("h2");
    assertNull(world.connect().applicationProtocol());
    assertNull(world.accepted().applicationProtocol());
  }

  @Test
  void serverHearsTheNameThatIsMeant() throws Exception {
    world.connect();
    ExtendedSSLSession session = (ExtendedSSLSession) world.accepted().session();
    assertEquals(List.of(new SNIHostName(HOST)), session.getRequestedServerNames());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void addressIsCheckedButNotSentAsName(String address) throws Exception {
    world.server = new JsseTls(
        TestCertificates.being(AUTHORITY.identity("127.0.0.1", "::1")).build());
    world.client.connect(world.connectPlain(), address, 443, List.of(), world.soon());
    ExtendedSSLSession session = (ExtendedSSLSession) world.accepted().session();
    assertEquals(List.of(), session.getRequestedServerNames());
  }

  @Test
  void trailingDotOfTheHostIsNotSent() throws Exception {
    world.client.connect(world.connectPlain(), HOST + ".", 443, List.of(), world.soon());
    ExtendedSSLSession session = (ExtendedSSLSession) world.accepted().session();
    assertEquals(List.of(new SNIHostName(HOST)), session.getRequestedServerNames());
  }

  // ---- client certificates

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void serverSeesTheClientsCertificate(String version) throws Exception {
    TestCertificates.Identity me = AUTHORITY.identity("me");
    world.server = new JsseTls(server()
        .trust(List.of(AUTHORITY.certificate()))
        .clientAuthentication(ClientAuthentication.NEEDED)
        .protocols(version)
        .build());
    world.client =
        new JsseTls(AUTHORITY.trusting().identity(me.chain(), me.key()).build());
    world.connect();
    X509Certificate seen = (X509Certificate) world.accepted().session().getPeerCertificates()[0];
    assertEquals(me.chain().getFirst(), seen);
  }

  @Test
  void wantedCertificateMayBeMissing() throws Exception {
    world.server = new JsseTls(server()
        .trust(List.of(AUTHORITY.certificate()))
        .clientAuthentication(ClientAuthentication.WANTED)
        .build());
    TlsWorld.Pair pair = world.pair();
    pair.client().write(text("nobody"), world.soon());
    pair.atServer().awaitText("nobody");
  }

  // ---- resumption

  /** A resumed handshake needs no certificate: the server sends far less. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void secondHandshakeResumesTheFirst(String version) throws Exception {
    SimNetwork network = (SimNetwork) world.network;
    world.server = new JsseTls(server().protocols(version).build());
    TlsWorld.Pair first = world.pair();
    first.server().write(text("x"), world.soon());
    first.atClient().awaitText("x");
    long full = network.connections().getLast().written(Direction.TO_CLIENT);
    TlsWorld.Pair second = world.pair();
    second.server().write(text("x"), world.soon());
    second.atClient().awaitText("x");
    long resumed = network.connections().getLast().written(Direction.TO_CLIENT);
    assertTrue(resumed < full - 500, full + " bytes, then " + resumed);
  }

  @Test
  void clientsWithOneSetOfOptionsShareTheirSessions() throws Exception {
    SimNetwork network = (SimNetwork) world.network;
    TlsOptions options = AUTHORITY.trusting().build();
    long[] sizes = new long[2];
    for (int i = 0; i < 2; i++) {
      world.client = new JsseTls(options);
      TlsWorld.Pair pair = world.pair();
      pair.server().write(text("x"), world.soon());
      pair.atClient().awaitText("x");
      sizes[i] = network.connections().getLast().written(Direction.TO_CLIENT);
    }
    assertTrue(sizes[1] < sizes[0] - 500, sizes[0] + " bytes, then " + sizes[1]);
  }

  // ---- time, interrupts, closing

  @Test
  void clientsHandshakeEndsAtItsDeadline() throws Exception {
    world.server = null;
    SimNetwork network = (SimNetwork) world.network;
    assertThrows(
        DeadlinePassedException.class,
        () -> world.client.connect(
            world.connectPlain(), HOST, 443, List.of(), network.after(Duration.ofMillis(50))));
    assertClientClosed(network);
  }

  @Test
  void serversHandshakeEndsAtItsDeadlineSilentPeerOrNot() throws Exception {
    world.serverPatience = Duration.ofMillis(50);
    world.connectPlain();
    assertInstanceOf(DeadlinePassedException.class, world.serverFailure());
    world.connectPlain().write(text("\u0016\u0003\u0001\u0001\u0000"), world.soon());
    assertInstanceOf(DeadlinePassedException.class, world.serverFailure());
    SimNetwork network = (SimNetwork) world.network;
    for (SimConnection connection : network.connections()) {
      while (connection.isServerOpen()) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void interruptEndsTheHandshakeAndLeavesTheFlagSet() throws Exception {
    world.server = null;
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    FutureTask<SecureChannel> connect = new FutureTask<>(() -> {
      try {
        return world.connect();
      } finally {
        flag.complete(Thread.currentThread().isInterrupted());
      }
    });
    Thread thread = Thread.ofVirtual().start(connect);
    world.acceptedPlain();
    thread.interrupt();
    Throwable failure = assertThrows(ExecutionException.class, connect::get).getCause();
    assertInstanceOf(InterruptedIOException.class, failure);
    assertTrue(flag.get());
    assertClientClosed((SimNetwork) world.network);
  }

  @Test
  void closingTheNetworkEndsHandshakesOnBothSides() throws Exception {
    world.server = null;
    FutureTask<SecureChannel> connect = new FutureTask<>(world::connect);
    Thread.ofVirtual().start(connect);
    world.acceptedPlain();
    world.network.close();
    Throwable failure = assertThrows(ExecutionException.class, connect::get).getCause();
    assertInstanceOf(IOException.class, failure);
  }

  @Test
  void serversOwnCloseEndsItsHandshakeOnce() throws Exception {
    world.connectPlain().close();
    IOException failure = world.serverFailure();
    assertEquals(Reason.TRUNCATED, TlsFailuresTest.reason(failure), failure.toString());
  }

  private static void assertClientClosed(SimNetwork network) {
    SimConnection connection = network.connections().getLast();
    while (connection.isClientOpen()) {
      Thread.onSpinWait();
    }
  }
}
