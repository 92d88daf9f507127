package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.ClientResponse;
import org.glassfish.jersey.client.HttpUrlConnectorProvider;
import org.glassfish.jersey.client.RequestEntityProcessing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jersey's properties hold, of a client and of one request. */
@Timeout(60)
final class PropertiesTest {
  private final Client client = Carrier.HEDDLE.client();

  @SuppressWarnings("NullAway.Init") // set before each test
  private MockServer server;

  @BeforeEach
  void start() throws Exception {
    server = MockServer.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Invocation.Builder at(String path) {
    return client.target(server.url(path)).request();
  }

  private static Entity<byte[]> bytes(int size) {
    return Entity.entity(new byte[size], MediaType.APPLICATION_OCTET_STREAM_TYPE);
  }

  // ---- time

  @Test
  void readTimeoutOfOneRequestEndsThatRequestAlone() {
    server.enqueue(MockResponse.fault(MockFault.blackHole()));
    server.enqueue(MockResponse.ok("late"));
    ProcessingException failure = assertThrows(
        ProcessingException.class,
        () -> at("/").property(ClientProperties.READ_TIMEOUT, 100).get());
    assertInstanceOf(SocketTimeoutException.class, failure.getCause());
    assertEquals("late", at("/").get(String.class));
  }

  @Test
  void readTimeoutOfTheClientHoldsWhileContentIsRead() {
    server.enqueue(
        MockResponse.ok("slow").with(MockFault.slowBody(1, java.time.Duration.ofHours(1))));
    client.property(ClientProperties.READ_TIMEOUT, "100");
    try (Response response = at("/").get()) {
      ProcessingException failure =
          assertThrows(ProcessingException.class, () -> response.readEntity(String.class));
      assertInstanceOf(SocketTimeoutException.class, failure.getCause());
    }
  }

  @Test
  void negativeTimeoutIsRefusedByItsName() {
    client.property(ClientProperties.CONNECT_TIMEOUT, -1);
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> at("/").get());
    assertTrue(
        String.valueOf(refusal.getMessage()).contains(ClientProperties.CONNECT_TIMEOUT),
        refusal::toString);
  }

  @Test
  void negativeTimeoutOfARequestFailsItAndSaysWhy() {
    ProcessingException failure = assertThrows(
        ProcessingException.class,
        () -> at("/").property(ClientProperties.READ_TIMEOUT, -7).get());
    assertInstanceOf(IllegalArgumentException.class, failure.getCause());
    assertTrue(
        String.valueOf(failure.getMessage()).contains(ClientProperties.READ_TIMEOUT),
        failure::toString);
  }

  // ---- how content is sent

  private RecordedRequest post(Invocation.Builder request, Entity<?> entity) throws Exception {
    server.enqueue(MockResponse.of(204));
    request.post(entity).close();
    return server.takeRequest();
  }

  @Test
  void shortContentIsSentWithItsLength() throws Exception {
    RecordedRequest sent = post(at("/"), bytes(64 * 1024));
    assertEquals("65536", sent.header("Content-Length"));
    assertNull(sent.header("Transfer-Encoding"));
    assertEquals(MediaType.APPLICATION_OCTET_STREAM, sent.header("Content-Type"));
  }

  @Test
  void longContentIsSentInChunks() throws Exception {
    RecordedRequest sent = post(at("/"), bytes(64 * 1024 + 1));
    assertEquals("chunked", sent.header("Transfer-Encoding"));
    assertEquals(64 * 1024 + 1, sent.body().length);
  }

  @Test
  void longContentOfALengthThatWasSaidIsStreamedWithIt() throws Exception {
    RecordedRequest sent = post(at("/").header("Content-Length", 100_000), bytes(100_000));
    assertEquals("100000", sent.header("Content-Length"));
    assertEquals(100_000, sent.body().length);
  }

  @Test
  void shortContentGetsItsTrueLengthWhateverWasSaid() throws Exception {
    RecordedRequest sent = post(at("/").header("Content-Length", 7), bytes(10));
    assertEquals("10", sent.header("Content-Length"));
  }

  @Test
  void bufferedContentIsSentWithItsLengthHoweverLongItIs() throws Exception {
    RecordedRequest sent = post(
        at("/")
            .property(ClientProperties.REQUEST_ENTITY_PROCESSING, RequestEntityProcessing.BUFFERED),
        bytes(1_000_000));
    assertEquals("1000000", sent.header("Content-Length"));
  }

  @Test
  void chunkedContentIsSentInChunksHoweverShortItIs() throws Exception {
    RecordedRequest sent = post(
        at("/").property(ClientProperties.REQUEST_ENTITY_PROCESSING, "CHUNKED"),
        Entity.text("warp"));
    assertEquals("chunked", sent.header("Transfer-Encoding"));
    assertNull(sent.header("Content-Length"));
    assertEquals("warp", sent.text());
  }

  @Test
  void expectationIsSentIfRequestedAndTheContentIsLargeEnough() throws Exception {
    client.property(ClientProperties.EXPECT_100_CONTINUE, true);
    client.property(ClientProperties.EXPECT_100_CONTINUE_THRESHOLD_SIZE, 99L);
    for (int length : new int[] {99, 100}) {
      RecordedRequest sent = post(at("/").header("Content-Length", length), bytes(length));
      assertEquals(length == 100 ? "100-continue" : null, sent.header("Expect"));
      assertEquals(length, sent.body().length);
    }
  }

  @Test
  void expectationIsSentWithChunkedContentOfPostAndPutAlone() throws Exception {
    client.property(ClientProperties.EXPECT_100_CONTINUE, true);
    client.property(ClientProperties.REQUEST_ENTITY_PROCESSING, RequestEntityProcessing.CHUNKED);
    for (String method : new String[] {"POST", "PUT", "PATCH"}) {
      server.enqueue(MockResponse.of(204));
      at("/").method(method, Entity.text("x")).close();
      assertEquals(
          method.equals("PATCH") ? null : "100-continue", server.takeRequest().header("Expect"));
    }
  }

  /** Writes 24 KiB of an entity, and the rest once the server has seen the head. */
  private void assertLeavesBeforeItEnds(UnaryOperator<Invocation.Builder> with) throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    StreamingOutput content = out -> {
      for (int i = 0; i < 3; i++) {
        out.write(new byte[8192]);
      }
      try {
        arrived.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      out.write(new byte[8192]);
    };
    ScriptedPeer.visit(
        c -> {
          c.expectHead();
          arrived.countDown();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
          c.drain();
        },
        peer -> {
          Entity<StreamingOutput> entity =
              Entity.entity(content, MediaType.APPLICATION_OCTET_STREAM_TYPE);
          Invocation.Builder request = with.apply(client.target(peer.url("/")).request());
          assertEquals(200, request.post(entity).getStatus());
        });
  }

  @Test
  void entityInChunksLeavesBeforeItEnds() throws Exception {
    assertLeavesBeforeItEnds(request -> request.property(
        ClientProperties.REQUEST_ENTITY_PROCESSING, RequestEntityProcessing.CHUNKED));
  }

  @Test
  void entityOfFixedLengthLeavesBeforeItEnds() throws Exception {
    assertLeavesBeforeItEnds(request -> request
        .property(HttpUrlConnectorProvider.USE_FIXED_LENGTH_STREAMING, true)
        .header("Content-Length", 4 * 8192));
  }

  // ---- redirects

  @Test
  void uriOfTheResponseIsThatOfTheLastRedirect() {
    server.answer("/a", MockResponse.of(302).header("Location", "/b?x=%20"));
    server.answer("/b", MockResponse.ok("there"));
    AtomicReference<URI> resolved = new AtomicReference<>();
    client.register((ClientResponseFilter)
        (request, response) -> resolved.set(((ClientResponse) response).getResolvedRequestUri()));
    assertEquals("there", at("/a").get(String.class));
    assertEquals(URI.create(server.url("/b?x=%20")), resolved.get());
  }

  @Test
  void contentThatIsHeldIsSentAgainAfter307() throws Exception {
    server.answer("/a", MockResponse.of(307).header("Location", "/b"));
    server.answer("/b", MockResponse.ok("there"));
    assertEquals("there", at("/a").post(Entity.text("again"), String.class));
    server.takeRequest();
    assertEquals("again", server.takeRequest().text());
  }

  // ---- proxies

  /** The requests to a proxy that answers everything itself. */
  private static String asked(IntConsumer visit) throws Exception {
    AtomicReference<String> head = new AtomicReference<>("");
    ScriptedPeer.visit(
        c -> {
          head.set(c.expectHead());
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        },
        proxy -> visit.accept(proxy.port()));
    return head.get();
  }

  private void through(Object proxy) {
    assertEquals(
        "ok",
        client
            .target("http://loom.test/a%7e")
            .request()
            .property(ClientProperties.PROXY_URI, proxy)
            .get(String.class));
  }

  @Test
  void proxyOfARequestIsATextOrAUriOrAProxy() throws Exception {
    assertTrue(asked(port -> through("http://127.0.0.1:" + port))
        .startsWith("GET http://loom.test/a%7e HTTP/1.1\r\n"));
    String head = asked(port -> through(URI.create("http://127.0.0.1:" + port)));
    assertTrue(head.startsWith("GET http://loom.test/a%7e HTTP/1.1\r\n"), head);
    assertFalse(head.contains("Proxy-Authorization"), head);
    assertTrue(asked(port -> through(new Proxy(
            Proxy.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), port))))
        .startsWith("GET http://loom.test/a%7e HTTP/1.1\r\n"));
  }

  @Test
  void proxyIsShownTheCredentialsOfTheClientWithTheFirstRequest() throws Exception {
    client.property(ClientProperties.PROXY_USERNAME, "user");
    client.property(ClientProperties.PROXY_PASSWORD, "secret");
    String head = asked(port -> through("http://127.0.0.1:" + port + "/"));
    assertTrue(head.contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ="), head);
  }

  @Test
  void proxyWithoutPortIsAtPort8080() {
    assertEquals(
        heddle.client.spi.Proxy.http("proxy.test", 8080),
        Proxies.given("http://proxy.test", null, null));
    assertEquals(heddle.client.spi.Proxy.DIRECT, Proxies.given(Proxy.NO_PROXY, "user", null));
    assertEquals(
        heddle.client.spi.Proxy.socks5("proxy.test", 99),
        Proxies.given(
            new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("proxy.test", 99)),
            null,
            null));
  }

  @Test
  void invalidProxiesAreRefusedByTheNameOfTheProperty() {
    for (Object wrong : new Object[] {17, "ftp://proxy.test:1", "http://pro xy"}) {
      ProcessingException failure = assertThrows(
          ProcessingException.class,
          () -> at("/").property(ClientProperties.PROXY_URI, wrong).get());
      assertTrue(
          String.valueOf(failure.getMessage()).contains(ClientProperties.PROXY_URI),
          failure::toString);
    }
  }

  // ---- cookies

  @Test
  void cookiesAreKeptUnlessThatIsDisabled() throws Exception {
    server.handler(request ->
        MockResponse.ok(String.valueOf(request.header("Cookie"))).header("Set-Cookie", "weft=red"));
    assertEquals("null", at("/").get(String.class));
    assertEquals("weft=red", at("/").get(String.class));
    // Requests with other properties have other connections, and the same cookies.
    assertEquals(
        "weft=red", at("/").property(ClientProperties.READ_TIMEOUT, 9000).get(String.class));
    assertEquals("own=1", at("/").header("Cookie", "own=1").get(String.class));
    assertEquals(
        "$Version=1;a=1; $Version=1;b=2",
        at("/").cookie("a", "1").cookie("b", "2").get(String.class));
    for (String name : new String[] {
      HeddleConnectorProvider.DISABLE_COOKIES, "jersey.config.jetty.client.disableCookies"
    }) {
      try (Client forgetful = Carrier.HEDDLE.client()) {
        forgetful.property(name, true);
        for (int i = 0; i < 2; i++) {
          assertEquals("null", forgetful.target(server.url("/")).request().get(String.class), name);
        }
      }
    }
  }
}
