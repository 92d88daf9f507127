package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpVersion;
import heddle.testkit.TunnelProxy;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.async.methods.SimpleRequestProducer;
import org.apache.hc.client5.http.async.methods.SimpleResponseConsumer;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.UnsupportedHttpVersionException;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.net.URIAuthority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which version asynchronous requests are sent over, and that all of them arrive over HTTP/2. */
@Timeout(60)
class Http2Test {
  private static final ProtocolVersion HTTP_1_1 = org.apache.hc.core5.http.HttpVersion.HTTP_1_1;
  private static final ProtocolVersion HTTP_2 = org.apache.hc.core5.http.HttpVersion.HTTP_2;

  private static AsyncStack.Running overTls(Stack stack, HttpVersionPolicy policy) {
    return AsyncStack.start(stack, TunnelTest.trusting(), policy);
  }

  private static AsyncStack.Running inCleartext(Stack stack, HttpVersionPolicy policy) {
    return AsyncStack.start(stack, null, policy);
  }

  /** Sends three requests and checks the version wherever it is reported. */
  private static void assertVersion(
      ProtocolVersion expected, AsyncStack.Running running, MockServer server) throws Exception {
    HttpVersion sent = expected.equals(HTTP_2) ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    for (int i = 0; i < 3; i++) {
      HttpClientContext context = HttpClientContext.create();
      SimpleHttpResponse response = running
          .client()
          .execute(SimpleRequestBuilder.get(server.url("/")).build(), context, null)
          .get();
      assertEquals("safe", response.getBodyText());
      assertEquals(expected, response.getVersion());
      assertEquals(expected, context.getProtocolVersion());
      assertEquals(server.url("/").startsWith("https"), context.getSSLSession() != null);
      assertEquals(sent, server.takeRequest().version());
      AsyncStack.assertNothingIsLeased(running);
    }
    assertEquals(1, server.connections());
  }

  @ParameterizedTest
  @EnumSource
  void tlsFindsOutThatTheServerSpeaksHttp2(Stack stack) throws Exception {
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = overTls(stack, HttpVersionPolicy.NEGOTIATE)) {
      assertVersion(HTTP_2, running, server);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theForcedVersionIsUsed(Stack stack) throws Exception {
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = overTls(stack, HttpVersionPolicy.FORCE_HTTP_2)) {
      assertVersion(HTTP_2, running, server);
    }
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = overTls(stack, HttpVersionPolicy.FORCE_HTTP_1)) {
      assertVersion(HTTP_1_1, running, server);
    }
  }

  @ParameterizedTest
  @EnumSource
  void http2IsUsedWithoutTlsOnlyIfForced(Stack stack) throws Exception {
    try (MockServer server = MockServer.start();
        AsyncStack.Running running = inCleartext(stack, HttpVersionPolicy.NEGOTIATE)) {
      server.answer("/", MockResponse.ok("safe"));
      assertVersion(HTTP_1_1, running, server);
    }
    try (MockServer server = MockServer.start();
        AsyncStack.Running running = inCleartext(stack, HttpVersionPolicy.FORCE_HTTP_2)) {
      server.answer("/", MockResponse.ok("safe"));
      assertVersion(HTTP_2, running, server);
    }
  }

  @Test
  void interceptorsKnowWhatIsForced() throws Exception {
    List<ProtocolVersion> seen = new CopyOnWriteArrayList<>();
    for (HttpVersionPolicy policy : HttpVersionPolicy.values()) {
      try (MockServer server = TunnelTest.serve();
          AsyncStack.Running running = AsyncStack.start(
              Stack.HEDDLE,
              20,
              TunnelTest.trusting(),
              policy,
              b -> b.addRequestInterceptorLast(
                  (request, entity, context) -> seen.add(context.getProtocolVersion())))) {
        assertEquals("safe", running.get(server.url("/")).getBodyText());
      }
    }
    Map<HttpVersionPolicy, ProtocolVersion> expected = new EnumMap<>(HttpVersionPolicy.class);
    expected.put(HttpVersionPolicy.FORCE_HTTP_1, HTTP_1_1);
    expected.put(HttpVersionPolicy.FORCE_HTTP_2, HTTP_2);
    expected.put(HttpVersionPolicy.NEGOTIATE, HTTP_1_1);
    assertEquals(List.copyOf(expected.values()), seen);
  }

  @Test
  void theDefaultManagerNegotiatesHttp2() throws Exception {
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = AsyncStack.start(
            HeddleConnectionManager.builder()
                .setSslContext(TunnelTest.trusting())
                .buildAsync(),
            builder -> builder)) {
      assertEquals(HTTP_2, running.get(server.url("/")).getVersion());
    }
  }

  @Test
  void aRequestMayRequireHttp2IfItsServerMaySupportIt() throws Exception {
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = overTls(Stack.HEDDLE, HttpVersionPolicy.NEGOTIATE)) {
      SimpleHttpRequest request = SimpleRequestBuilder.get(server.url("/")).build();
      request.setVersion(HTTP_2);
      assertEquals(HTTP_2, running.send(request).get().getVersion());
    }
    for (HttpVersionPolicy policy :
        List.of(HttpVersionPolicy.NEGOTIATE, HttpVersionPolicy.FORCE_HTTP_1)) {
      try (MockServer server = MockServer.start();
          AsyncStack.Running running = inCleartext(Stack.HEDDLE, policy)) {
        SimpleHttpRequest request = SimpleRequestBuilder.get(server.url("/")).build();
        request.setVersion(HTTP_2);
        ExecutionException e =
            assertThrows(ExecutionException.class, () -> running.send(request).get());
        assertInstanceOf(UnsupportedHttpVersionException.class, e.getCause());
        assertEquals(0, server.connections());
      }
    }
  }

  @Test
  void anAuthorityThatIsNotTheTargetsIsSentAsHost() throws Exception {
    String virtual = "virtual.test:81";
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = overTls(Stack.HEDDLE, HttpVersionPolicy.NEGOTIATE)) {
      assertEquals("safe", getNaming(virtual, running, server).get().getBodyText());
      RecordedRequest sent = server.takeRequest();
      assertEquals("virtual.test:81", sent.header("host"));
      assertEquals(HttpVersion.HTTP_1_1, sent.version());
      String own = "LOCALHOST:" + server.port();
      assertEquals(HTTP_2, getNaming(own, running, server).get().getVersion());
    }
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = overTls(Stack.HEDDLE, HttpVersionPolicy.FORCE_HTTP_2)) {
      Future<SimpleHttpResponse> call = getNaming(virtual, running, server);
      ExecutionException e = assertThrows(ExecutionException.class, call::get);
      assertInstanceOf(ProtocolException.class, e.getCause());
      assertTrue(String.valueOf(e.getCause().getMessage()).contains("virtual.test:81"));
      assertEquals(0, server.connections());
    }
  }

  private static Future<SimpleHttpResponse> getNaming(
      String host, AsyncStack.Running running, MockServer server) {
    return running.send(
        SimpleRequestBuilder.get(server.url("/")).setHeader("Host", host).build());
  }

  @Test
  void theAuthorityIsTheTargetsIfHttp2IsForced() throws Exception {
    try (MockServer server = MockServer.start();
        AsyncStack.Running running = inCleartext(Stack.HEDDLE, HttpVersionPolicy.FORCE_HTTP_2)) {
      server.answer("/", MockResponse.ok("ok"));
      HttpHost target = new HttpHost("http", "localhost", server.port());
      for (URIAuthority named :
          List.of(new URIAuthority("virtual.test"), new URIAuthority("localhost", 81))) {
        SimpleHttpRequest get = SimpleRequestBuilder.get(server.url("/")).build();
        get.setAuthority(named);
        Future<SimpleHttpResponse> call = running
            .client()
            .execute(
                target,
                SimpleRequestProducer.create(get),
                SimpleResponseConsumer.create(),
                null,
                null,
                null);
        ExecutionException e = assertThrows(ExecutionException.class, call::get);
        assertInstanceOf(ProtocolException.class, e.getCause());
      }
      assertEquals("ok", running.get(server.url("/")).getBodyText());
    }
  }

  @Test
  void aProxyIsNotAskedToForwardOverHttp2() throws Exception {
    try (MockServer proxy = MockServer.start();
        AsyncStack.Running running = AsyncStack.start(
            Stack.HEDDLE,
            20,
            null,
            HttpVersionPolicy.FORCE_HTTP_2,
            b -> b.setProxy(new HttpHost("http", "localhost", proxy.port())))) {
      ExecutionException e =
          assertThrows(ExecutionException.class, () -> running.get("http://a.test/"));
      assertInstanceOf(IllegalArgumentException.class, e.getCause());
      String message = String.valueOf(e.getCause().getMessage());
      assertTrue(message.contains("TlsConfig.httpVersionPolicy"), message);
      assertEquals(0, proxy.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTunnelCarriesHttp2(Stack stack) throws Exception {
    try (MockServer server = TunnelTest.serve();
        TunnelProxy proxy = new TunnelProxy(head -> "");
        AsyncStack.Running running = AsyncStack.start(
            stack, 20, TunnelTest.trusting(), HttpVersionPolicy.NEGOTIATE, b -> b.setProxy(
                    TunnelTest.host(proxy))
                .disableAutomaticRetries())) {
      SimpleHttpResponse response = running.get(server.url("/"));
      assertEquals("safe", response.getBodyText());
      // Apache's own upgrades a tunnel to TLS and continues with HTTP/1.1.
      assertEquals(stack == Stack.HEDDLE ? HTTP_2 : response.getVersion(), response.getVersion());
      assertEquals(1, proxy.heads().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void headAndStatusesWithoutContentHaveNoBody(Stack stack) throws Exception {
    try (MockServer server = MockServer.start();
        AsyncStack.Running running = inCleartext(stack, HttpVersionPolicy.FORCE_HTTP_2)) {
      server.answer("/", MockResponse.ok("content"));
      server.answer("/204", MockResponse.of(204));
      SimpleHttpRequest head = SimpleRequestBuilder.head(server.url("/")).build();
      SimpleHttpResponse response = running.send(head).get();
      assertNull(response.getBodyText());
      assertEquals("7", response.getFirstHeader("content-length").getValue());
      assertNull(running.get(server.url("/204")).getBodyText());
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // with Apache's own this server and it part ways
  void contentBeyondTheWindowsArrivesBothWays(Stack stack) throws Exception {
    byte[] large = new byte[1_500_000];
    new Random(7).nextBytes(large);
    try (MockServer server = MockServer.start();
        AsyncStack.Running running = inCleartext(stack, HttpVersionPolicy.FORCE_HTTP_2)) {
      server.handler(request -> MockResponse.ok(request.body()));
      SimpleHttpRequest post = SimpleRequestBuilder.post(server.url("/"))
          .setBody(large, ContentType.APPLICATION_OCTET_STREAM)
          .build();
      assertArrayEquals(large, running.send(post).get().getBodyBytes());
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own has one request on a connection unless told so
  void manyRequestsShareOneConnection(Stack stack) throws Exception {
    int many = 60;
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = overTls(stack, HttpVersionPolicy.NEGOTIATE)) {
      assertNotNull(running.get(server.url("/")));
      CountDownLatch all = new CountDownLatch(many);
      server.handler(request -> {
        all.countDown();
        all.await();
        return MockResponse.ok(request.target());
      });
      List<Future<SimpleHttpResponse>> answers = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        answers.add(running.send(SimpleRequestBuilder.get(server.url("/" + i)).build()));
      }
      for (int i = 0; i < many; i++) {
        assertEquals("/" + i, answers.get(i).get().getBodyText());
      }
      assertEquals(1, server.connections());
      AsyncStack.assertNothingIsLeased(running);
    }
  }
}
