package heddle.testkit;

import static heddle.testkit.ChannelWorld.text;
import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.SecureChannel;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.security.Provider;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Peers that are not ours, over TCP: the JDK's sockets, and another provider's engines. */
@Timeout(60)
class TlsPeersTest {
  @AutoClose
  private final TlsWorld world = new TlsWorld(TcpNetwork.create());

  /** A socket of the JDK's; asking it for a handshake again updates its keys, or renegotiates. */
  private SSLSocket socket(String version) throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("ca", AUTHORITY.certificate());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    InetSocketAddress at = (InetSocketAddress) world.listening.address();
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(at.getAddress(), at.getPort());
    socket.setEnabledProtocols(new String[] {version});
    socket.setSoTimeout(20_000);
    return socket;
  }

  @Test
  void keyUpdatesAreAnsweredAndContentFlowsOn() throws Exception {
    try (SSLSocket socket = socket("TLSv1.3")) {
      socket.startHandshake();
      SecureChannel server = world.accepted();
      RecordingListener heard = new RecordingListener();
      server.start(heard);
      for (int i = 1; i <= 10; i++) {
        socket.startHandshake();
        socket.getOutputStream().write('x');
        heard.awaitText("x".repeat(i));
        server.write(text("answer"), world.soon());
        assertEquals("answer", new String(socket.getInputStream().readNBytes(6), ISO_8859_1));
      }
    }
  }

  @Test
  void endlessKeyUpdatesAreRefused() throws Exception {
    try (SSLSocket socket = socket("TLSv1.3")) {
      socket.startHandshake();
      RecordingListener heard = new RecordingListener();
      world.accepted().start(heard);
      assertThrows(IOException.class, () -> {
        for (int i = 0; i < 100_000; i++) {
          socket.startHandshake();
        }
      });
      String cause = heard.awaitClosed().orElseThrow().getMessage();
      assertTrue(cause.contains("records without content"), cause);
    }
  }

  @Test
  void renegotiationIsRefused() throws Exception {
    try (SSLSocket socket = socket("TLSv1.2")) {
      socket.startHandshake();
      RecordingListener heard = new RecordingListener();
      world.accepted().start(heard);
      socket.getOutputStream().write('x');
      heard.awaitText("x");
      assertThrows(IOException.class, () -> {
        socket.startHandshake();
        socket.getInputStream().read();
      });
      String cause = heard.awaitClosed().orElseThrow().getMessage();
      assertTrue(cause.contains("second handshake"), cause);
    }
  }

  // ---- another provider

  private static SSLContext conscrypt(TestCertificates.Identity identity) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    char[] password = "none".toCharArray();
    if (identity != null) {
      keys.setKeyEntry(
          "key",
          identity.key(),
          password,
          identity.chain().toArray(java.security.cert.X509Certificate[]::new));
    }
    keys.setCertificateEntry("ca", AUTHORITY.certificate());
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, password);
    Provider provider = Conscrypt.newProvider();
    // Its own: the JDK's does not know what Conscrypt calls the key exchange of TLS 1.3.
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX", provider);
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS", provider);
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.3,true,false",
    "TLSv1.3,false,true",
    "TLSv1.3,true,true",
    "TLSv1.2,true,false",
    "TLSv1.2,false,true"
  })
  void conscryptServesAsClientAndAsServer(String version, boolean client, boolean server)
      throws Exception {
    TestCertificates.Identity identity = AUTHORITY.identity(HOST);
    TlsOptions.Builder mine =
        client ? TlsOptions.builder().context(conscrypt(null)) : AUTHORITY.trusting();
    TlsOptions.Builder yours = server
        ? TlsOptions.builder().context(conscrypt(identity))
        : TestCertificates.being(identity);
    world.client = new JsseTls(mine.protocols(version).build());
    world.server = new JsseTls(yours.protocols(version).build());
    world.serverProtocols = List.of("h2", "http/1.1");
    TlsWorld.Pair pair = world.pair("h2", "http/1.1");
    assertEquals(version, pair.client().session().getProtocol());
    assertEquals("h2", pair.client().applicationProtocol());
    assertEquals("h2", pair.server().applicationProtocol());
    byte[] content = ChannelWorld.noise(1_000_000);
    pair.client().write(ByteBuffer.wrap(content), world.soon());
    pair.server().write(ByteBuffer.wrap(content), world.soon());
    pair.atClient().awaitBytes(content.length);
    pair.atServer().awaitBytes(content.length);
    org.junit.jupiter.api.Assertions.assertArrayEquals(content, pair.atServer().bytes());
    pair.server().close();
    pair.atClient().awaitEnd();
    pair.client().close();
    assertTrue(pair.atClient().awaitClosed().isEmpty());
  }

  @Test
  void conscryptChecksTheHostToo() throws Exception {
    world.client = new JsseTls(TlsOptions.builder().context(conscrypt(null)).build());
    world.server =
        new JsseTls(TestCertificates.being(AUTHORITY.identity("b.test")).build());
    assertTrue(world.refusal().getMessage().contains(HOST));
  }

  @Test
  void mockServerAgreesOnTheVersionByAlpn() throws Exception {
    TestCertificates authority = new TestCertificates("mock");
    TlsOptions being = TestCertificates.being(authority.identity("localhost")).build();
    TlsOptions trusting = authority.trusting().build();
    try (SimNetwork network = SimNetwork.create();
        MockServer server = MockServer.builder().network(network).tls(being).start()) {
      server.answer("/x", MockResponse.ok("secret"));
      assertTrue(server.url("/x").startsWith("https://localhost:"), server.url("/x"));
      try (Http2Peer h2 =
          Http2Peer.connect(TlsNetwork.over(network, trusting, "h2"), server.address())) {
        h2.handshake();
        h2.sendGet(1, "/x");
        h2.expectResponse(1, 200);
        assertEquals("secret", new String(h2.expectContent(1), UTF_8));
      }
      try (RawConnection c =
          RawConnection.connect(TlsNetwork.over(network, trusting, "http/1.1"), server.address())) {
        c.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(c.expectMessage().endsWith("secret"));
      }
    }
  }
}
