package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.ESTABLISHED;
import static heddle.client.proxy.ProxyWorld.HTTP;
import static heddle.client.proxy.ProxyWorld.PORT;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.coalescing.TestAuthority;
import heddle.client.spi.BasicAuthenticator;
import heddle.client.spi.NoProxy;
import heddle.client.spi.Proxy;
import heddle.client.spi.ProxySelector;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.TlsException;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.TlsNetwork;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS with origins behind proxies, and with proxies; in virtual time and over real sockets. */
@Timeout(60)
class ProxyTlsTest {
  private static final TestAuthority AUTHORITY = new TestAuthority();
  private static final TlsOptions ORIGIN =
      AUTHORITY.identify(TlsOptions.builder(), "a.test").build();
  private static final TlsOptions SECURE_PROXY =
      AUTHORITY.identify(TlsOptions.builder(), "proxy.test").build();

  private static ProxyWorld world(Proxy proxy, boolean coalescing) {
    return new ProxyWorld(builder ->
        builder.proxy(proxy).tls(AUTHORITY.trusting().build()).coalesceOrigins(coalescing));
  }

  private static MockServer origin(Network network, InetSocketAddress address, TlsOptions options)
      throws Exception {
    return MockServer.builder()
        .network(network)
        .address(address)
        .tls(options)
        .handler(request -> MockResponse.ok(request.target()))
        .start();
  }

  /** Accepts connections, and ignores those that close. */
  private static Network.Listening shaking(Network network, int port, TlsOptions options)
      throws Exception {
    JsseTls tls = new JsseTls(options);
    return network.listen(ProxyWorld.at(port), 1, channel -> channel
        .loop()
        .execute(() -> tls.accept(channel, List.of(), 1_000_000_000, secured -> {}, failed -> {})));
  }

  private static void connect(RawConnection c) throws Exception {
    c.expect("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n");
    c.send(ESTABLISHED);
  }

  private static void assertAnswered(HttpClient client, HttpVersion version) throws Exception {
    Request request = Request.builder("https://a.test/path").version(version).build();
    try (Response response = client.send(request)) {
      assertEquals(version, response.version());
      assertEquals("/path", response.string());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void tlsIsWithTheOrigin(HttpVersion version) throws Exception {
    try (ProxyWorld world = world(HTTP, true)) {
      world.serve(c -> {
        connect(c);
        world.relay(c, 443);
      });
      world.visit(() -> {
        try (MockServer origin = origin(world.world.network, ProxyWorld.at(443), ORIGIN)) {
          assertAnswered(world.world.client, version);
          assertAnswered(world.world.client, version);
          assertEquals(1, world.world.pool().open());
          world.world.client.close();
        }
      });
      assertEquals(List.of("proxy.test"), world.lookedUp);
    }
  }

  @Test
  void bestVersionIsFoundInTheTunnel() throws Exception {
    try (ProxyWorld world = world(HTTP, false)) {
      world.serve(c -> {
        connect(c);
        world.relay(c, 443);
      });
      world.visit(() -> {
        try (MockServer origin = origin(world.world.network, ProxyWorld.at(443), ORIGIN)) {
          try (Response response = world.world.client.send(Request.get("https://a.test/"))) {
            assertEquals(HttpVersion.HTTP_2, response.version());
          }
          world.world.client.close();
        }
      });
    }
  }

  /** Both hosts are on one certificate: in a tunnel that is no reason to share it. */
  @Test
  void tunnelsAreNotShared() throws Exception {
    TlsOptions both =
        AUTHORITY.identify(TlsOptions.builder(), "a.test", "b.test").build();
    try (ProxyWorld world = world(HTTP, true)) {
      ScriptedPeer.Script relays = c -> {
        c.expectHead();
        c.send(ESTABLISHED);
        world.relay(c, 443);
      };
      world.serve(relays, relays);
      world.visit(() -> {
        try (MockServer origin = origin(world.world.network, ProxyWorld.at(443), both)) {
          world.get("https://a.test/");
          world.get("https://b.test/");
          assertEquals(2, world.world.pool().open());
          world.world.client.close();
        }
      });
    }
  }

  /** The proxy looks it up: who sees our questions is not to see where it leads. */
  @Test
  void originBehindAProxyIsNotLookedUpToFindAConnectionToShare() throws Exception {
    TlsOptions both =
        AUTHORITY.identify(TlsOptions.builder(), "a.test", "b.test").build();
    try (ProxyWorld world = new ProxyWorld(builder -> builder
        .proxies(ProxySelector.fixed(HTTP, NoProxy.parse("a.test")))
        .tls(AUTHORITY.trusting().build())
        .coalesceOrigins(true))) {
      world.serve(c -> {
        c.expectHead();
        c.send(ESTABLISHED);
        world.relay(c, 443);
      });
      world.visit(() -> {
        try (MockServer origin = origin(world.world.network, ProxyWorld.at(443), both)) {
          world.get("https://a.test/");
          world.get("https://b.test/");
          assertEquals(2, world.world.pool().open());
          world.world.client.close();
        }
      });
      assertEquals(List.of("a.test", "proxy.test"), world.lookedUp);
    }
  }

  @Test
  void originsNameIsVerified() throws Exception {
    try (ProxyWorld world = world(HTTP, false)) {
      world.serve(c -> {
        connect(c);
        world.relay(c, 443);
      });
      world.visit(() -> {
        try (Network.Listening proxy = shaking(world.world.network, 443, SECURE_PROXY)) {
          TlsException failure = world.failure(TlsException.class, "https://a.test/");
          assertEquals(TlsException.Reason.WRONG_HOST, failure.reason());
          assertSays(failure, "a.test", "(through the proxy http://proxy.test:3128)");
        }
      });
    }
  }

  /** TLS within TLS, of which only the inner one may speak HTTP/2. */
  @Test
  void proxyItselfMayBeSpokenToOverTls() throws Exception {
    Proxy proxy = Proxy.https("proxy.test", PORT);
    try (ProxyWorld world = world(proxy, false)) {
      Network secure = TlsNetwork.over(world.world.network, SECURE_PROXY, "h2", "http/1.1");
      world.world.network.run(() -> {
        try (MockServer origin = origin(world.world.network, ProxyWorld.at(443), ORIGIN);
            ScriptedPeer peer = ScriptedPeer.each(secure, ProxyWorld.at(PORT), c -> {
              connect(c);
              world.relay(c, 443);
            })) {
          assertAnswered(world.world.client, HttpVersion.HTTP_2);
          world.world.client.close();
        }
      });
    }
  }

  @Test
  void secureProxyForwardsToo() throws Exception {
    Proxy proxy = Proxy.https("proxy.test", PORT);
    try (ProxyWorld world = world(proxy, false)) {
      Network secure = TlsNetwork.over(world.world.network, SECURE_PROXY);
      world.world.network.run(() -> {
        try (ScriptedPeer peer = ScriptedPeer.each(secure, ProxyWorld.at(PORT), c -> {
          c.expect("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n");
          c.send(ProxyWorld.HELLO);
          c.hasMore();
        })) {
          assertEquals("hello", world.get("http://a.test/"));
          world.world.client.close();
        }
      });
    }
  }

  /** So that credentials for a proxy in cleartext are not shown to another on the same port. */
  @Test
  void secureProxyIsAnOriginOfHttpsToAuthenticators() throws Exception {
    Origin asked = Origin.https("proxy.test", PORT);
    BasicAuthenticator known = BasicAuthenticator.forProxy(asked, "me", "pw").preemptive();
    try (ProxyWorld world = new ProxyWorld(builder -> builder
        .proxy(Proxy.https("proxy.test", PORT))
        .authenticator(known)
        .tls(AUTHORITY.trusting().build()))) {
      Network secure = TlsNetwork.over(world.world.network, SECURE_PROXY);
      world.world.network.run(() -> {
        try (ScriptedPeer peer = ScriptedPeer.each(secure, ProxyWorld.at(PORT), c -> {
          c.expect("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n"
              + "Proxy-Authorization: Basic bWU6cHc=\r\n\r\n");
          c.send(ProxyWorld.HELLO);
          c.hasMore();
        })) {
          assertEquals("hello", world.get("http://a.test/"));
          world.world.client.close();
        }
      });
    }
  }

  @Test
  void secureProxyIsVerified() throws Exception {
    try (ProxyWorld world = world(Proxy.https("proxy.test", PORT), false)) {
      world.world.network.run(() -> {
        try (Network.Listening proxy = shaking(world.world.network, PORT, ORIGIN)) {
          TlsException failure = world.failure(TlsException.class, "http://a.test/");
          assertEquals(TlsException.Reason.WRONG_HOST, failure.reason());
          assertSays(failure, "proxy.test:3128", "that is the proxy, not the origin");
          world.world.client.close();
        }
      });
    }
  }

  @Test
  void failureOfTheOriginsTlsNamesTheProxy() throws Exception {
    try (ProxyWorld world = world(HTTP, false)) {
      world.visit(
          () ->
              assertSays(world.failure(TlsException.class, "https://a.test/"), "through the proxy"),
          ProxyTlsTest::connect);
    }
  }

  // ---- over real sockets

  /** How a proxy is spoken to until it leads to the origin. */
  private enum Kind {
    HTTP {
      @Override
      Proxy at(int port) {
        return Proxy.http("localhost", port);
      }

      @Override
      void open(RawConnection c) throws Exception {
        connect(c);
      }
    },
    HTTPS {
      @Override
      Proxy at(int port) {
        return Proxy.https("proxy.test", port);
      }

      @Override
      void open(RawConnection c) throws Exception {
        connect(c);
      }
    },
    SOCKS5 {
      @Override
      Proxy at(int port) {
        return Proxy.socks5("localhost", port).withCredentials("me", "pw");
      }

      @Override
      void open(RawConnection c) throws Exception {
        c.expect("\5\2\0\2");
        c.send("\5\2");
        c.expect("\1\2me\2pw");
        c.send("\1\0");
        c.expect("\5\1\0\3\6a.test\1\u00bb");
        c.send("\5\0\0\1\0\0\0\0\0\0");
      }
    };

    abstract Proxy at(int port);

    abstract void open(RawConnection c) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void realSocketsLeadThroughEachKindOfProxy(Kind kind) throws Exception {
    ThreadFactory threads = Thread.ofVirtual().name("relay-", 0).factory();
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<String> lookedUp = new CopyOnWriteArrayList<>();
    try (TcpNetwork servers = TcpNetwork.create();
        MockServer origin = origin(servers, anyPort, ORIGIN)) {
      Network proxies = kind == Kind.HTTPS ? TlsNetwork.over(servers, SECURE_PROXY) : servers;
      try (ScriptedPeer proxy = ScriptedPeer.each(proxies, c -> {
            kind.open(c);
            ProxyWorld.relay(servers, threads, c, origin.address());
          });
          HttpClient client = HttpClient.builder()
              .proxy(kind.at(proxy.port()))
              .tls(AUTHORITY.trusting().build())
              .resolver((host, deadline) -> {
                lookedUp.add(host);
                return List.of(InetAddress.getLoopbackAddress());
              })
              .build()) {
        for (int i = 0; i < 10; i++) {
          assertAnswered(client, HttpVersion.HTTP_1_1);
          assertAnswered(client, HttpVersion.HTTP_2);
        }
        assertEquals(2, proxy.connections());
        assertTrue(lookedUp.stream().noneMatch("a.test"::equals), lookedUp.toString());
      }
    }
  }

  @Test
  void realProxyThatIsNotThereIsNamed() throws Exception {
    int free;
    try (TcpNetwork network = TcpNetwork.create();
        MockServer gone = MockServer.builder().network(network).start()) {
      free = gone.port();
    }
    Proxy proxy = Proxy.http("127.0.0.1", free);
    try (HttpClient client = HttpClient.builder().proxy(proxy).build()) {
      ConnectFailedException failure = assertThrows(
          ConnectFailedException.class, () -> client.send(Request.get("https://a.test/")));
      assertSays(failure, "cannot connect to the proxy " + proxy);
    }
  }
}
