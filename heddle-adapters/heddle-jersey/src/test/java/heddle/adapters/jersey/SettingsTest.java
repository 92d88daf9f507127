package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.support.ClientsByOptions;
import heddle.http.HeaderName;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.HttpUrlConnectorProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client can be made with, and what is refused. */
@Timeout(60)
@Isolated("sets what holds for the whole JVM")
@ExtendWith(MockServerExtension.class)
final class SettingsTest {

  @ParameterizedTest
  @CsvSource({
    "jersey.config.apache5.client.connectionManager, x",
    "jersey.config.jetty.client.totalTimeout, 7",
    "jersey.config.jetty.client.enableSslHostnameVerification, false",
    "jersey.config.client.JdkConnectorProvider.maxRedirects, 7",
    "jersey.config.client.connectTimeout, -7",
    "jersey.config.client.readTimeout, -7",
    "jersey.config.client.proxy.uri, ftp://proxy.test:1",
  })
  void optionsThatCannotBeHonouredAreRefusedByTheirName(String name, String value) {
    try (Client client = Carrier.HEDDLE.client()) {
      client.property(name, value);
      IllegalArgumentException refusal = assertThrows(
          IllegalArgumentException.class,
          () -> client.target("http://127.0.0.1:1/").request().get());
      String message = String.valueOf(refusal.getMessage());
      assertTrue(message.startsWith("the option " + name + " cannot be honoured: "), message);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "jersey.config.client.ConnectorConfiguration, x",
    "jersey.config.apache5.client.connectionManager, x",
    "jersey.config.jetty.client.enableSslHostnameVerification, false",
    "jersey.config.heddle.client.disableCookies, true",
  })
  void anOptionThatCannotBeHonouredFailsItsRequest(String name, String value) {
    try (Client client = Carrier.HEDDLE.client()) {
      ProcessingException failure = assertThrows(ProcessingException.class, () -> client
          .target("http://127.0.0.1:1/")
          .request()
          .property(name, value)
          .get());
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("the option " + name + " cannot be honoured: "), message);
    }
  }

  @Test
  void configurationOfAnotherConnectorIsRefused() {
    try (Client client = Carrier.HEDDLE.client()) {
      client.property(ClientProperties.CONNECTOR_CONFIGURATION, HttpUrlConnectorProvider.config());
      IllegalArgumentException refusal = assertThrows(
          IllegalArgumentException.class,
          () -> client.target("http://127.0.0.1:1/").request().get());
      assertTrue(
          String.valueOf(refusal.getMessage()).contains(ClientProperties.CONNECTOR_CONFIGURATION),
          refusal::toString);
    }
  }

  @Test
  void optionsThatAreAlwaysOnMayBeSet(MockServer server) throws Exception {
    try (Client client = Carrier.HEDDLE.client()) {
      server.enqueue(MockResponse.ok("x"));
      client.property("jersey.config.jetty.client.enableSslHostnameVerification", true);
      client.property(HttpUrlConnectorProvider.SET_METHOD_WORKAROUND, true);
      assertEquals("x", client.target(server.url("/")).request().method("WEAVE", String.class));
      assertEquals("WEAVE", server.takeRequest().method());
    }
  }

  @Test
  void settingsOfHeddlesHoldForAllRequests(MockServer server) throws Exception {
    HeddleConnectorProvider provider =
        HeddleConnectorProvider.with(builder -> builder.deadlineHeader(HeaderName.of("X-Left")));
    try (Client client = ClientBuilder.newClient(new ClientConfig().connectorProvider(provider))) {
      server.handler(request -> MockResponse.ok(String.valueOf(request.header("X-Left") != null)));
      for (int millis : new int[] {0, 5000}) {
        assertEquals(
            "true",
            client
                .target(server.url("/"))
                .request()
                .property(ClientProperties.READ_TIMEOUT, millis)
                .get(String.class));
      }
    }
  }

  @Test
  void targetsWithFiltersAndPropertiesOfTheirOwnShareTheConnectionsOfTheClient(MockServer server)
      throws Exception {
    ClientResponseFilter own = (request, response) -> response.getHeaders().add("X-Seen", "yes");
    try (Client client = Carrier.HEDDLE.client()) {
      server.handler(request -> MockResponse.ok("x"));
      for (int i = 0; i < 10; i++) {
        try (Response response = client
            .target(server.url("/"))
            .register(own)
            .property("own", i)
            .request()
            .get()) {
          assertEquals("yes", response.getHeaderString("X-Seen"));
          assertEquals("x", response.readEntity(String.class));
        }
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void clientsOfOneProviderAreClosedEachForItself(MockServer server) throws Exception {
    ClientConfig config = new ClientConfig().connectorProvider(new HeddleConnectorProvider());
    try (Client one = ClientBuilder.newClient(config)) {
      server.handler(request -> MockResponse.ok("x"));
      try (Client other = ClientBuilder.newClient(config)) {
        assertEquals("x", other.target(server.url("/")).request().get(String.class));
        assertEquals("x", one.target(server.url("/")).request().get(String.class));
      }
      assertEquals("x", one.target(server.url("/")).request().get(String.class));
      assertEquals(2, server.connections());
    }
  }

  @Test
  void carriersAreClosedWithTheirLastConnectorAndNotUsedAgain() throws Exception {
    try (Client client = Carrier.HEDDLE.client()) {
      Carriers carriers = new Carriers(
          Settings.of(client, builder -> {}), CallOptions.of(client.getConfiguration(), true));
      assertTrue(carriers.retain());
      HeddleConnector first = new HeddleConnector(carriers, true);
      first.close();
      first.close();
      assertTrue(carriers.retain());
      carriers.release();
      carriers.release();
      assertFalse(carriers.retain());
    }
  }

  @Test
  void providerIsFoundByTheNameOfItsClass(MockServer server) throws Exception {
    try (Client client = ClientBuilder.newBuilder()
        .property(ClientProperties.CONNECTOR_PROVIDER, HeddleConnectorProvider.class.getName())
        .build()) {
      server.enqueue(MockResponse.ok("x"));
      assertEquals("x", client.target(server.url("/")).request().get(String.class));
      assertTrue(String.valueOf(server.takeRequest().header("User-Agent")).contains("(Heddle)"));
    }
  }

  private static Response get(Client client, MockServer server, int readTimeout) {
    return client
        .target(server.url("/"))
        .request()
        .property(ClientProperties.READ_TIMEOUT, readTimeout)
        .get();
  }

  @Test
  void unusedSetsOfPropertiesMakeRoomForOthers(MockServer server) throws Exception {
    try (Client client = Carrier.HEDDLE.client()) {
      server.handler(request -> MockResponse.ok("x"));
      int sets = 3 * ClientsByOptions.MOST;
      for (int i = 1; i <= sets; i++) {
        try (Response response = get(client, server, 60_000 + i)) {
          assertEquals("x", response.readEntity(String.class));
        }
      }
      assertEquals(sets, server.connections());
      // Of the last ones the connections are still there, of the first one they are not.
      get(client, server, 60_000 + sets).close();
      assertEquals(sets, server.connections());
      get(client, server, 60_001).close();
      assertEquals(sets + 1, server.connections());
    }
  }

  @Test
  void setsOfPropertiesThatAreInUseDoNotMakeRoom(MockServer server) throws Exception {
    try (Client client = Carrier.HEDDLE.client()) {
      server.handler(request -> MockResponse.ok(new byte[1_000_000]));
      List<Response> unread = new ArrayList<>();
      for (int i = 1; i < ClientsByOptions.MOST; i++) {
        unread.add(get(client, server, 60_000 + i));
      }
      ProcessingException failure =
          assertThrows(ProcessingException.class, () -> get(client, server, 70_000));
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("more than 16 different sets of properties"), message);
      unread.get(3).close();
      get(client, server, 70_000).close();
      assertEquals(1_000_000, unread.get(0).readEntity(byte[].class).length);
      unread.forEach(Response::close);
    }
  }

  @Test
  void setsOfPropertiesWhoseContentIsStillWrittenDoNotMakeRoom(MockServer server) throws Exception {
    int most = ClientsByOptions.MOST - 1;
    CountDownLatch writing = new CountDownLatch(most);
    CompletableFuture<Void> writeOn = new CompletableFuture<>();
    StreamingOutput content = out -> {
      writing.countDown();
      writeOn.join();
    };
    try (Client client = Carrier.HEDDLE.client()) {
      server.handler(request -> MockResponse.ok("x"));
      List<Future<String>> calls = new ArrayList<>();
      for (int i = 1; i <= most; i++) {
        calls.add(client
            .target(server.url("/"))
            .request()
            .property(ClientProperties.READ_TIMEOUT, 60_000 + i)
            .async()
            .post(Entity.entity(content, MediaType.TEXT_PLAIN_TYPE), String.class));
      }
      writing.await();
      assertThrows(ProcessingException.class, () -> get(client, server, 70_000));
      writeOn.complete(null);
      for (Future<String> each : calls) {
        assertEquals("x", each.get());
      }
    }
  }

  @Test
  void setOfPropertiesThatMakesRoomHasItsConnectionsClosed() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    ScriptedPeer.visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
          c.drain();
          left.countDown();
        },
        peer -> {
          try (MockServer server = MockServer.start();
              Client client = Carrier.HEDDLE.client()) {
            server.handler(request -> MockResponse.ok("x"));
            assertEquals(
                "x",
                client
                    .target(peer.url("/"))
                    .request()
                    .property(ClientProperties.READ_TIMEOUT, 60_000)
                    .get(String.class));
            for (int i = 1; i < ClientsByOptions.MOST; i++) {
              get(client, server, 60_000 + i).close();
            }
            // Idle connections are closed by themselves, but later.
            assertTrue(left.await(20, TimeUnit.SECONDS));
          }
        });
  }

  @Test
  void cookieHandlerOfTheJvmKeepsTheCookies(MockServer server) throws Exception {
    CookieHandler before = CookieHandler.getDefault();
    CookieManager manager = new CookieManager();
    CookieHandler.setDefault(manager);
    try (Client client = Carrier.HEDDLE.client()) {
      server.enqueue(MockResponse.ok("x").header("Set-Cookie", "weft=red"));
      assertEquals("x", client.target(server.url("/")).request().get(String.class));
      assertEquals("red", manager.getCookieStore().getCookies().getFirst().getValue());
    } finally {
      CookieHandler.setDefault(before);
    }
  }

  /** The host may be a URL, as with Jersey's own connectors. */
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "http://127.0.0.1", "HTTP://127.0.0.1"})
  void proxyOfTheJvmIsTakenUnlessAPropertyNamesAnother(String host) throws Exception {
    try (MockServer proxy = MockServer.start();
        Client client = Carrier.HEDDLE.client()) {
      proxy.handler(request -> MockResponse.ok(request.target()));
      System.setProperty("http.proxyHost", host);
      System.setProperty("http.proxyPort", String.valueOf(proxy.port()));
      try {
        assertEquals(
            "http://loom.test/a", client.target("http://loom.test/a").request().get(String.class));
        assertThrows(ProcessingException.class, () -> client
            .target("http://loom.invalid/a")
            .request()
            .property(ClientProperties.PROXY_URI, java.net.Proxy.NO_PROXY)
            .get(String.class));
      } finally {
        System.clearProperty("http.proxyHost");
        System.clearProperty("http.proxyPort");
      }
    }
  }
}
