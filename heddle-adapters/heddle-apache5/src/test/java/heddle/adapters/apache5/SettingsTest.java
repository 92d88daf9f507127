package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.support.Clients;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tls.TlsOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.RouteInfo.LayerType;
import org.apache.hc.client5.http.RouteInfo.TunnelType;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Options are honoured, or refused by name. */
@Timeout(60)
class SettingsTest {
  private record Refused(String name, Consumer<HeddleConnectionManagerBuilder> option) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Refused socket(String name, Consumer<SocketConfig.Builder> option) {
    SocketConfig.Builder config = SocketConfig.custom();
    option.accept(config);
    return new Refused(
        "SocketConfig." + name, builder -> builder.setDefaultSocketConfig(config.build()));
  }

  static Stream<Refused> refused() {
    return Stream.of(
        socket("tcpNoDelay", c -> c.setTcpNoDelay(false)),
        socket("soLinger", c -> c.setSoLinger(1, TimeUnit.SECONDS)),
        socket("soReuseAddress", c -> c.setSoReuseAddress(true)),
        socket("sndBufSize", c -> c.setSndBufSize(1000)),
        socket("rcvBufSize", c -> c.setRcvBufSize(1000)),
        socket("tcpKeepCount", c -> c.setTcpKeepCount(777)),
        socket(
            "socksProxyAddress",
            c -> c.setSocksProxyAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1080))),
        new Refused(
            "TlsConfig.httpVersionPolicy",
            b -> b.setDefaultTlsConfig(TlsConfig.custom()
                .setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_2)
                .build())),
        new Refused("maxTotal", b -> b.setMaxConnTotal(0)),
        new Refused("maxPerRoute", b -> b.setMaxConnPerRoute(0)),
        new Refused("setTlsOptions", b -> b.setTlsOptions(TlsOptions.defaults())
            .setDefaultTlsConfig(
                TlsConfig.custom().setSupportedProtocols("TLSv1.3").build())));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void optionsThatCannotBeHonouredAreRefusedByName(Refused refused) {
    HeddleConnectionManagerBuilder builder = HeddleConnectionManager.builder();
    refused.option().accept(builder);
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, builder::build);
    assertTrue(String.valueOf(e.getMessage()).contains(refused.name()), e::toString);
  }

  static Stream<HttpRoute> impassable() throws Exception {
    HttpHost secure = new HttpHost("https", "localhost", 443);
    HttpHost plain = new HttpHost("http", "localhost", 80);
    HttpHost proxy = new HttpHost("http", "proxy.test", 3128);
    InetAddress local = InetAddress.getLoopbackAddress();
    return Stream.of(
        new HttpRoute(plain, null, proxy, false, TunnelType.TUNNELLED, LayerType.PLAIN),
        new HttpRoute(
            plain, null, new HttpHost[] {proxy, proxy}, false, TunnelType.PLAIN, LayerType.PLAIN),
        new HttpRoute(plain, local, false),
        new HttpRoute(secure, new HttpHost("https", "other.test", 443), null, true),
        new HttpRoute(new HttpHost("http", local, "elsewhere.test", 80)),
        new HttpRoute(plain, java.nio.file.Path.of("socket")));
  }

  @ParameterizedTest
  @MethodSource("impassable")
  void aRouteThatHeddleCannotTakeIsRefused(HttpRoute route) throws Exception {
    try (HeddleConnectionManager manager = HeddleConnectionManager.create()) {
      IllegalArgumentException e = assertThrows(
          IllegalArgumentException.class, () -> manager.lease("id", route, null, null));
      assertTrue(String.valueOf(e.getMessage()).contains("cannot be honoured"), e::toString);
      assertEquals(0, manager.getTotalStats().getLeased());
    }
  }

  @Test
  void aTargetThatNamesItsOwnAddressIsFine() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpRoute route = new HttpRoute(new HttpHost("http", loopback, "127.0.0.1", 80));
    HttpRoute virtual = new HttpRoute(
        new HttpHost("https", "localhost", 443), new HttpHost("https", "LOCALHOST"), null, true);
    try (HeddleConnectionManager manager = HeddleConnectionManager.create()) {
      assertDoesNotThrow(() -> manager.lease("id", route, null, null));
      assertDoesNotThrow(() -> manager.lease("id", virtual, null, null));
    }
  }

  private static Settings settings(ConnectionConfig.Builder connection) {
    return Settings.of(connection.build(), SocketConfig.DEFAULT, TlsConfig.DEFAULT, false);
  }

  @Test
  void timeoutsAreThoseOfTheConfigurations() {
    Settings usual = settings(ConnectionConfig.custom());
    assertEquals(Duration.ofMinutes(3), usual.times().connect());
    assertEquals(Duration.ofMinutes(3), usual.times().tls());
    assertEquals(Duration.ofMinutes(3), usual.times().silence());
    Settings none = settings(ConnectionConfig.custom()
        .setConnectTimeout(0, TimeUnit.SECONDS)
        .setSocketTimeout(0, TimeUnit.SECONDS));
    assertEquals(Clients.FOREVER, none.times().connect());
    assertEquals(Clients.FOREVER, none.times().silence());
    Settings given = settings(ConnectionConfig.custom()
        .setConnectTimeout(1, TimeUnit.SECONDS)
        .setSocketTimeout(2, TimeUnit.SECONDS)
        .setTimeToLive(TimeValue.ofSeconds(3))
        .setIdleTimeout(org.apache.hc.core5.util.Timeout.ofSeconds(4)));
    assertEquals(Duration.ofSeconds(1), given.times().connect());
    assertEquals(Duration.ofSeconds(1), given.times().tls());
    assertEquals(Duration.ofSeconds(2), given.times().silence());
    assertEquals(Duration.ofSeconds(3), given.times().age());
    assertEquals(Duration.ofSeconds(4), given.times().idle());
    assertEquals(
        Duration.ofSeconds(5), given.times().withConnect(Duration.ofSeconds(5)).tls());
  }

  @Test
  void configurationsByRouteAreResolvedForEachRequest() throws Exception {
    List<HttpRoute> asked = new ArrayList<>();
    HeddleConnectionManager manager = HeddleConnectionManager.builder()
        .setConnectionConfigResolver(route -> {
          asked.add(route);
          return ConnectionConfig.custom().setSocketTimeout(7, TimeUnit.SECONDS).build();
        })
        .setSocketConfigResolver(route -> null)
        .setTlsConfigResolver(host -> null)
        .build();
    try (MockServer server = MockServer.start();
        CloseableHttpClient client =
            HttpClients.custom().setConnectionManager(manager).build()) {
      server.answer("/", MockResponse.ok("ok"));
      for (int i = 0; i < 2; i++) {
        client.execute(new HttpGet(server.url("/")), r -> EntityUtils.toString(r.getEntity()));
      }
      assertEquals(2, asked.size());
    }
  }

  @Test
  void aResolverOfNamesIsAsked() throws Exception {
    List<String> asked = new ArrayList<>();
    HeddleConnectionManager manager = HeddleConnectionManager.builder()
        .setDnsResolver(new SystemDefaultDnsResolver() {
          @Override
          public InetAddress[] resolve(String host) {
            asked.add(host);
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
          }
        })
        .build();
    try (MockServer server = MockServer.start();
        CloseableHttpClient client =
            HttpClients.custom().setConnectionManager(manager).build()) {
      server.answer("/", MockResponse.ok("ok").header("Connection", "close"));
      for (int i = 0; i < 2; i++) {
        client.execute(
            new HttpGet("http://named.test:" + server.port() + "/"),
            r -> EntityUtils.toString(r.getEntity()));
      }
      assertEquals(List.of("named.test", "named.test"), asked);
      assertEquals("named.test:" + server.port(), server.takeRequest().header("host"));
    }
  }

  @Test
  void keptAliveConnectionsMayBeProbed() throws Exception {
    HeddleConnectionManager manager = HeddleConnectionManager.builder()
        .setDefaultSocketConfig(SocketConfig.custom()
            .setSoKeepAlive(true)
            .setTcpKeepIdle(777)
            .setTcpKeepInterval(33)
            .build())
        .build();
    assertEquals(
        new Settings.KeepAlive(Duration.ofSeconds(777), Duration.ofSeconds(33)),
        manager
            .routes
            .settings(new HttpRoute(new HttpHost("http", "a.test", 80)))
            .keepAlive());
    try (MockServer server = MockServer.start();
        CloseableHttpClient client =
            HttpClients.custom().setConnectionManager(manager).build()) {
      server.answer("/", MockResponse.ok("ok"));
      assertEquals(
          "ok",
          client.execute(new HttpGet(server.url("/")), r -> EntityUtils.toString(r.getEntity())));
    }
  }

  @Test
  void configurationsMayChangeWhileAManagerIsUsed() throws Exception {
    try (HeddleConnectionManager manager = HeddleConnectionManager.create()) {
      HttpRoute plain = new HttpRoute(new HttpHost("http", "a.test", 80));
      HttpRoute other = new HttpRoute(new HttpHost("https", "b.test", 443));
      Routes routes = manager.routes;
      manager.setDefaultConnectionConfig(timeout(7));
      manager.setConnectionConfigResolver(route -> route.equals(other) ? timeout(8) : null);
      assertEquals(Duration.ofSeconds(7), routes.settings(plain).times().silence());
      assertEquals(Duration.ofSeconds(8), routes.settings(other).times().silence());
      manager.setConnectionConfigResolver(null);
      assertEquals(Duration.ofSeconds(7), routes.settings(other).times().silence());
      SocketConfig still = SocketConfig.custom().setSoKeepAlive(false).build();
      manager.setSocketConfigResolver(route -> route.equals(other) ? still : null);
      assertNull(routes.settings(other).keepAlive());
      assertNotNull(routes.settings(plain).keepAlive());
      manager.setDefaultSocketConfig(still);
      assertNull(routes.settings(plain).keepAlive());
      TlsConfig newest = TlsConfig.custom().setSupportedProtocols("TLSv1.3").build();
      manager.setTlsConfigResolver(host -> host.getPort() == 443 ? newest : null);
      assertEquals(List.of("TLSv1.3"), routes.settings(other).protocols());
      assertEquals(List.of(), routes.settings(plain).protocols());
      manager.setDefaultTlsConfig(
          TlsConfig.custom().setSupportedProtocols("TLSv1.2").build());
      assertEquals(List.of("TLSv1.2"), routes.settings(plain).protocols());
      assertEquals(List.of("TLSv1.3"), routes.settings(other).protocols());
      assertFalse(manager.isClosed());
      manager.close();
      assertTrue(manager.isClosed());
    }
  }

  private static ConnectionConfig timeout(int seconds) {
    return ConnectionConfig.custom().setSocketTimeout(seconds, TimeUnit.SECONDS).build();
  }

  @Test
  void aRefusedOptionChangesNothing() throws Exception {
    HeddleConnectionManagerBuilder builder =
        HeddleConnectionManager.builder().setTlsOptions(TlsOptions.builder().build());
    try (HeddleConnectionManager manager = builder.build()) {
      HttpRoute route = new HttpRoute(new HttpHost("https", "a.test", 443));
      Settings before = manager.routes.settings(route);
      TlsConfig newest = TlsConfig.custom().setSupportedProtocols("TLSv1.3").build();
      assertThrows(IllegalArgumentException.class, () -> manager.setDefaultTlsConfig(newest));
      assertThrows(IllegalArgumentException.class, () -> manager.setTlsConfigResolver(h -> null));
      SocketConfig slow = SocketConfig.custom().setTcpNoDelay(false).build();
      assertThrows(IllegalArgumentException.class, () -> manager.setDefaultSocketConfig(slow));
      // Later changes of the builder do not affect the manager.
      builder.setConnectionConfigResolver(any -> any.isSecure() ? timeout(7) : null);
      assertEquals(before, manager.routes.settings(route));
    }
  }

  /** Apache's longest times stand for no limit. */
  @ParameterizedTest
  @EnumSource
  void theLongestTimesAreHonoured(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.connections = ConnectionConfig.custom()
        .setTimeToLive(TimeValue.MAX_VALUE)
        .setConnectTimeout(Long.MAX_VALUE, TimeUnit.DAYS)
        .build();
    try (MockServer server = MockServer.start();
        Stack.Running running =
            stack.start(setup, b -> b.setKeepAliveStrategy((r, c) -> TimeValue.MAX_VALUE))) {
      server.answer("/", MockResponse.ok("ok"));
      assertEquals("200 ok", running.get(server.url("/")));
      running.pool().closeIdle(TimeValue.MAX_VALUE);
      assertEquals("200 ok", running.get(server.url("/")));
      assertEquals(1, server.connections());
    }
  }
}
