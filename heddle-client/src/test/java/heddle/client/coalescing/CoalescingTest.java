package heddle.client.coalescing;

import static heddle.client.coalescing.NamedServers.AUTHORITY;
import static heddle.client.coalescing.NamedServers.OTHER;
import static heddle.client.coalescing.NamedServers.SHARED;
import static heddle.client.coalescing.NamedServers.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.failure.ConnectFailedException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tls.TlsOptions;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When calls use the connections of other origins (RFC 9113 §9.1.1), and when they must not. */
@Timeout(60)
class CoalescingTest {
  private static final String A = "https://a.test/a";
  private static final String B = "https://b.test/b";
  private static final String[] BOTH = {"a.test", "b.test"};

  @AutoClose
  private NamedServers servers;

  @Test
  void aHostOfTheSameAddressAndCertificateSharesTheConnection() throws Exception {
    servers = new NamedServers();
    servers.visit(options(BOTH), server -> {
      servers.get(A);
      servers.get(B);
      servers.get(B);
      servers.get(A);
      assertEquals(1, server.connections());
      assertEquals(List.of("a.test", "b.test"), servers.lookedUp);
    });
  }

  @ParameterizedTest
  @CsvSource({
    "b.a.test, *.a.test, https://c.a.test/",
    "a.test, b.test, https://b.test./",
    "a.test, b.test, https://B.TEST/",
    "a.test, xn--bcher-kva.b.test, https://xn--bcher-kva.b.test/",
    "a.test, 127.0.0.1, https://127.0.0.1/"
  })
  void whateverTheCertificateNamesShares(String first, String named, String url) throws Exception {
    servers = new NamedServers();
    servers.visit(options(first, named), server -> {
      servers.get("https://" + first + "/");
      servers.get(url);
      assertEquals(1, server.connections());
    });
  }

  @Test
  void eachRequestNamesItsOwnHost() throws Exception {
    servers = new NamedServers();
    servers.world.network.run(() -> {
      try (ScriptedPeer peer = servers.scripted(Http2Peer.server(h2 -> {
        h2.handshake();
        for (String host : BOTH) {
          var head = h2.expectHeaders();
          assertEquals(host, head.value(":authority"));
          h2.sendResponse(head.streamId(), 200, head.value(":path"));
        }
      }))) {
        servers.get(A);
        servers.get(B);
        peer.awaitScripts();
      }
    });
  }

  // ---- what keeps calls apart

  private static void assertOwnConnections(NamedServers servers, String first, String second)
      throws Exception {
    servers.visit(options(BOTH), server -> {
      servers.get(first);
      servers.get(second);
      assertEquals(2, server.connections());
    });
  }

  @Test
  void nothingIsSharedByDefault() throws Exception {
    servers = new NamedServers(builder -> builder.coalesceOrigins(false));
    assertOwnConnections(servers, A, B);
  }

  @Test
  void aHostWithAnotherAddressDoesNotShare() throws Exception {
    servers = new NamedServers();
    servers.addresses.put("b.test", OTHER);
    servers.visit(options(BOTH), server -> {
      try (MockServer other = servers.server(OTHER, NamedServers.PORT, options(BOTH))) {
        servers.get(A);
        servers.get(B);
        assertEquals(1, server.connections());
        assertEquals(1, other.connections());
      }
    });
  }

  @Test
  void anotherPortDoesNotShare() throws Exception {
    servers = new NamedServers();
    servers.visit(options(BOTH), server -> {
      try (MockServer other = servers.server(SHARED, 8443, options(BOTH))) {
        servers.get(A);
        servers.get("https://b.test:8443/b");
        assertEquals(1, server.connections());
        assertEquals(1, other.connections());
      }
    });
  }

  @Test
  void aHostThatTheCertificateDoesNotNameDoesNotShare() throws Exception {
    servers = new NamedServers();
    servers.visit(options(BOTH), server -> {
      servers.get(A);
      servers.world.network.refuse(server.address());
      assertThrows(ConnectFailedException.class, () -> servers.get("https://c.b.test/"));
    });
  }

  @Test
  void uncheckedCertificateIsForItsOwnHostOnly() throws Exception {
    TlsOptions trustful = TlsOptions.builder().insecureTrustEverything().build();
    servers = new NamedServers(builder -> builder.tls(trustful));
    assertOwnConnections(servers, A, B);
  }

  @Test
  void aContextThatWasGivenMayAskMoreOfOneHostThanOfAnother() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", AUTHORITY.certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    TlsOptions given = TlsOptions.builder().context(context).build();
    servers = new NamedServers(builder -> builder.tls(given));
    assertOwnConnections(servers, A, B);
  }

  @Test
  void whoHasShownACertificateHasShownItToOneHost() throws Exception {
    TlsOptions client = AUTHORITY.identify(AUTHORITY.trusting(), "me.test").build();
    TlsOptions server = AUTHORITY
        .identify(AUTHORITY.trusting(), BOTH)
        .clientAuthentication(TlsOptions.ClientAuthentication.NEEDED)
        .build();
    servers = new NamedServers(builder -> builder.tls(client));
    servers.visit(server, visited -> {
      servers.get(A);
      servers.get(B);
      assertEquals(2, visited.connections());
    });
  }

  @Test
  void whoCouldShowACertificateAndWasNotAskedShares() throws Exception {
    TlsOptions client = AUTHORITY.identify(AUTHORITY.trusting(), "me.test").build();
    servers = new NamedServers(builder -> builder.tls(client));
    servers.visit(options(BOTH), server -> {
      servers.get(A);
      servers.get(B);
      assertEquals(1, server.connections());
    });
  }

  /** A server with several certificates shows one per connection: only its names count. */
  @ParameterizedTest
  @CsvSource({"a.test, 2", "a.test b.test, 1"})
  void aConnectionIsSharedForTheNamesOfTheCertificateThatWasChosen(String first, int connections)
      throws Exception {
    TlsOptions.Builder options = AUTHORITY.identify(TlsOptions.builder(), first.split(" ", -1));
    TlsOptions several = AUTHORITY.identify(options, "b.test").build();
    servers = new NamedServers();
    servers.visit(several, server -> {
      servers.get(A);
      servers.get(B);
      assertEquals(connections, server.connections());
    });
  }

  /** A client has one configuration of TLS for all its connections. */
  @Test
  void clientsWithOtherTlsShareNothing() throws Exception {
    servers = new NamedServers();
    servers.visit(options(BOTH), server -> {
      try (HttpClient other = HttpClient.builder()
          .network(servers.world.network.lasting())
          .resolver((host, deadline) -> List.of(SHARED))
          .tls(AUTHORITY.trusting().protocols("TLSv1.2").build())
          .coalesceOrigins(true)
          .build()) {
        servers.get(A);
        other.send(Request.get(B)).close();
        assertEquals(2, server.connections());
      }
    });
  }

  @Test
  void whoWantsHttp11HasConnectionsOfItsOwn() throws Exception {
    servers = new NamedServers();
    servers.visit(options("a.test", "b.test", "c.b.test"), server -> {
      servers.get(A);
      servers.assertAnswered(Request.builder(B).version(HttpVersion.HTTP_1_1).build());
      assertEquals(2, server.connections());
      servers.assertAnswered(
          Request.builder("https://c.b.test/").version(HttpVersion.HTTP_2).build());
      assertEquals(2, server.connections());
    });
  }

  @Test
  void connectionsOfHttp11AreNotShared() throws Exception {
    servers = new NamedServers();
    servers.visit(options(BOTH), server -> {
      servers.assertAnswered(Request.builder(A).version(HttpVersion.HTTP_1_1).build());
      servers.get(B);
      assertEquals(2, server.connections());
    });
  }

  @Test
  void connectionsWithoutTlsAreNotShared() throws Exception {
    servers = new NamedServers(b -> b.version(HttpVersion.HTTP_2));
    servers.world.network.run(() -> {
      try (MockServer server = MockServer.builder()
          .network(servers.world.network)
          .address(new InetSocketAddress(SHARED, 80))
          .handler(request -> MockResponse.ok(request.target()))
          .start()) {
        servers.get("http://a.test/");
        servers.get("http://b.test/");
        assertEquals(2, server.connections());
        servers.world.client.close();
      }
    });
  }

  @Test
  void aConnectionOfTheHostsOwnComesFirst() throws Exception {
    PoolLimits one = PoolLimits.builder().maxStreamsPerConnection(1).build();
    servers = new NamedServers(builder -> builder.poolLimits(one));
    servers.visit(options(BOTH), server -> {
      server.enqueue("/slow", MockResponse.ok("").after(Duration.ofSeconds(1)));
      ClientWorld.Running slow = servers.world.start(Request.get("https://a.test/slow"));
      servers.world.until(() -> server.requests().size() == 1);
      servers.get(B);
      assertEquals(2, server.connections(), "the other connection had no room");
      servers.world.assertAnswered(slow, "");
      servers.get(B);
      assertEquals(
          List.of(1, 2, 2),
          server.requests().stream().map(each -> each.connection()).toList());
    });
  }
}
