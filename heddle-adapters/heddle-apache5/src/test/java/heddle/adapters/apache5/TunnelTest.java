package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.TunnelProxy;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.auth.BasicScheme;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests may go through proxies, those for https targets through tunnels. */
@Timeout(60)
class TunnelTest {
  private static final HeldCertificate OWN =
      new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build();

  private static final String CHALLENGE =
      "HTTP/1.1 407 Who\r\nProxy-Authenticate: %s\r\nContent-Length: 4\r\n\r\nwho?";

  static String askForBasic(String head) {
    return head.contains("Proxy-Authorization: Basic dTpw\r\n")
        ? ""
        : CHALLENGE.formatted("Basic realm=\"p\"");
  }

  static MockServer serve() throws IOException {
    TlsOptions options = TlsOptions.builder()
        .identity(List.of(OWN.certificate()), OWN.keyPair().getPrivate())
        .build();
    MockServer server = MockServer.builder().tls(options).start();
    server.answer("/", MockResponse.ok("safe"));
    return server;
  }

  static SSLContext trusting() {
    return new HandshakeCertificates.Builder()
        .addTrustedCertificate(OWN.certificate())
        .build()
        .sslContext();
  }

  private static Stack.Running start(Stack stack, TunnelProxy proxy) {
    Stack.Setup setup = new Stack.Setup();
    setup.tls = trusting();
    return stack.start(setup, b -> b.setProxy(host(proxy)).disableAutomaticRetries());
  }

  static HttpHost host(TunnelProxy proxy) {
    return new HttpHost("http", "localhost", proxy.port());
  }

  static HttpClientContext knowing() {
    BasicCredentialsProvider known = new BasicCredentialsProvider();
    known.setCredentials(
        new AuthScope(null, -1), new UsernamePasswordCredentials("u", "p".toCharArray()));
    HttpClientContext context = HttpClientContext.create();
    context.setCredentialsProvider(known);
    return context;
  }

  private static String get(Stack.Running running, MockServer server, HttpClientContext context)
      throws IOException {
    return running
        .client()
        .execute(
            new HttpGet(server.url("/")),
            context,
            response -> response.getCode() + " " + EntityUtils.toString(response.getEntity()));
  }

  @ParameterizedTest
  @EnumSource
  void oneTunnelServesManyRequests(Stack stack) throws Exception {
    try (MockServer server = serve();
        TunnelProxy proxy = new TunnelProxy(head -> "");
        Stack.Running running = start(stack, proxy)) {
      HttpClientContext context = HttpClientContext.create();
      assertEquals("200 safe", get(running, server, context));
      assertEquals("200 safe", get(running, server, context));
      assertNotNull(context.getSSLSession());
      assertEquals(1, proxy.heads().size());
      assertTrue(
          proxy
              .heads()
              .getFirst()
              .startsWith("CONNECT localhost:" + server.port() + " HTTP/1.1\r\n"),
          proxy.heads()::toString);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aProxyThatAsksIsShownApachesCredentials(Stack stack) throws Exception {
    try (MockServer server = serve();
        TunnelProxy proxy = new TunnelProxy(TunnelTest::askForBasic);
        Stack.Running running = start(stack, proxy)) {
      assertEquals("200 safe", get(running, server, knowing()));
      assertEquals(2, proxy.heads().size());
      assertFalse(proxy.heads().getFirst().contains("Proxy-Authorization"));
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDigestIsThatOfTheTunnel(Stack stack) throws Exception {
    Function<String, String> asks = head -> head.contains("Proxy-Authorization: Digest ")
        ? ""
        : CHALLENGE.formatted("Digest realm=\"p\", nonce=\"n\", qop=\"auth\", algorithm=MD5");
    try (MockServer server = serve();
        TunnelProxy proxy = new TunnelProxy(asks);
        Stack.Running running = start(stack, proxy)) {
      assertEquals("200 safe", get(running, server, knowing()));
      assertTrue(
          proxy.heads().getLast().contains("uri=\"localhost:" + server.port() + "\""),
          proxy.heads()::toString);
    }
  }

  @ParameterizedTest
  @EnumSource
  void credentialsMayBeSentPreemptively(Stack stack) throws Exception {
    try (MockServer server = serve();
        TunnelProxy proxy = new TunnelProxy(TunnelTest::askForBasic);
        Stack.Running running = start(stack, proxy)) {
      BasicScheme scheme = new BasicScheme();
      scheme.initPreemptive(new UsernamePasswordCredentials("u", "p".toCharArray()));
      HttpClientContext context = knowing();
      context.resetAuthExchange(host(proxy), scheme);
      assertEquals("200 safe", get(running, server, context));
      assertEquals(1, proxy.heads().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theResponseOfAProxyThatRefusesATunnelIsReturned(Stack stack) throws Exception {
    String refusal = "HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\nno!";
    try (MockServer server = serve();
        TunnelProxy refusing = new TunnelProxy(head -> refusal);
        TunnelProxy asking = new TunnelProxy(TunnelTest::askForBasic);
        Stack.Running refused = start(stack, refusing);
        Stack.Running asked = start(stack, asking)) {
      assertEquals("403 no!", get(refused, server, HttpClientContext.create()));
      assertEquals("407 who?", get(asked, server, HttpClientContext.create()));
      assertEquals(0, server.connections());
    }
  }

  // ---- http targets, without a tunnel

  @ParameterizedTest
  @EnumSource
  void theProxyGetsTheWholeTarget(Stack stack) throws Exception {
    try (MockServer proxy = MockServer.start();
        Stack.Running running =
            stack.start(b -> b.setProxy(new HttpHost("http", "localhost", proxy.port())))) {
      proxy.handler(request -> MockResponse.ok("by proxy"));
      assertEquals("200 by proxy", running.get("http://origin.test/a//b?c=%20"));
      RecordedRequest sent = proxy.takeRequest();
      assertEquals("http://origin.test/a//b?c=%20", sent.target().replace(":80/", "/"));
      assertEquals("origin.test", sent.header("host"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aProxyThatRequestsCredentialsGetsThemFromApache(Stack stack) throws Exception {
    BasicCredentialsProvider known = new BasicCredentialsProvider();
    known.setCredentials(
        new AuthScope(null, -1), new UsernamePasswordCredentials("u", "p".toCharArray()));
    try (MockServer proxy = MockServer.start();
        Stack.Running running =
            stack.start(b -> b.setProxy(new HttpHost("http", "localhost", proxy.port()))
                .setDefaultCredentialsProvider(known))) {
      proxy.handler(request -> request.header("proxy-authorization") == null
          ? MockResponse.of(407)
              .header("Proxy-Authenticate", "Basic realm=\"p\"")
              .body("who?")
          : MockResponse.ok("by proxy"));
      assertEquals("200 by proxy", running.get("http://origin.test/"));
      List<RecordedRequest> sent = proxy.requests();
      assertEquals(2, sent.size());
      assertNull(sent.get(0).header("proxy-authorization"));
      assertEquals("Basic dTpw", sent.get(1).header("proxy-authorization"));
    }
  }

  /** Asynchronous requests go over TLS, and through tunnels of proxies. */
  @Nested
  class Asynchronous {
    private static AsyncStack.Running over(Stack stack, TunnelProxy proxy) {
      return AsyncStack.start(
          stack, 20, trusting(), b -> b.setProxy(host(proxy)).disableAutomaticRetries());
    }

    private static String get(
        AsyncStack.Running running, MockServer server, HttpClientContext context)
        throws InterruptedException, ExecutionException {
      SimpleHttpResponse response = running
          .client()
          .execute(SimpleRequestBuilder.get(server.url("/")).build(), context, null)
          .get();
      return response.getCode() + " " + response.getBodyText();
    }

    @ParameterizedTest
    @EnumSource
    void theSessionOfATrustedServerIsKnown(Stack stack) throws Exception {
      try (MockServer server = serve();
          AsyncStack.Running running = AsyncStack.start(stack, 20, trusting(), b -> b)) {
        HttpClientContext context = HttpClientContext.create();
        assertEquals("200 safe", get(running, server, context));
        assertNotNull(context.getSSLSession());
      }
    }

    @ParameterizedTest
    @EnumSource
    void oneTunnelServesManyRequests(Stack stack) throws Exception {
      try (MockServer server = serve();
          TunnelProxy proxy = new TunnelProxy(head -> "");
          AsyncStack.Running running = over(stack, proxy)) {
        assertEquals("200 safe", get(running, server, HttpClientContext.create()));
        AsyncStack.assertNothingIsLeased(running);
        assertEquals("200 safe", get(running, server, HttpClientContext.create()));
        assertEquals(1, proxy.heads().size());
        AsyncStack.assertNothingIsLeased(running);
      }
    }

    @ParameterizedTest
    @EnumSource
    void aProxyThatAsksIsShownApachesCredentials(Stack stack) throws Exception {
      try (MockServer server = serve();
          TunnelProxy proxy = new TunnelProxy(TunnelTest::askForBasic);
          AsyncStack.Running running = over(stack, proxy)) {
        assertEquals("200 safe", get(running, server, knowing()));
        assertEquals(2, proxy.heads().size());
        assertFalse(proxy.heads().getFirst().contains("Proxy-Authorization"));
        AsyncStack.assertNothingIsLeased(running);
      }
    }

    @ParameterizedTest
    @EnumSource
    void credentialsMayBeSentPreemptively(Stack stack) throws Exception {
      try (MockServer server = serve();
          TunnelProxy proxy = new TunnelProxy(TunnelTest::askForBasic);
          AsyncStack.Running running = over(stack, proxy)) {
        BasicScheme scheme = new BasicScheme();
        scheme.initPreemptive(new UsernamePasswordCredentials("u", "p".toCharArray()));
        HttpClientContext context = knowing();
        context.resetAuthExchange(host(proxy), scheme);
        assertEquals("200 safe", get(running, server, context));
        assertEquals(1, proxy.heads().size());
        AsyncStack.assertNothingIsLeased(running);
      }
    }

    @ParameterizedTest
    @EnumSource
    void theResponseOfAProxyThatRefusesATunnelIsReturned(Stack stack) throws Exception {
      String refusal = "HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\nno!";
      try (MockServer server = serve();
          TunnelProxy refusing = new TunnelProxy(head -> refusal);
          AsyncStack.Running running = over(stack, refusing)) {
        assertEquals("403 no!", get(running, server, HttpClientContext.create()));
        assertEquals(0, server.connections());
        AsyncStack.assertNothingIsLeased(running);
      }
    }
  }
}
