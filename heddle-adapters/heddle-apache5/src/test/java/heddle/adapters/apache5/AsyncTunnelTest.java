package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import heddle.testkit.mock.MockServer;
import java.util.concurrent.ExecutionException;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.impl.auth.BasicScheme;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous requests go over TLS, and through tunnels of proxies. */
@Timeout(60)
class AsyncTunnelTest {
  private static AsyncStack.Running start(Stack stack, TunnelProxy proxy) {
    return AsyncStack.start(
        stack, 20, TunnelTest.trusting(), b -> b.setProxy(TunnelTest.host(proxy))
            .disableAutomaticRetries());
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
    try (MockServer server = TunnelTest.serve();
        AsyncStack.Running running = AsyncStack.start(stack, 20, TunnelTest.trusting(), b -> b)) {
      HttpClientContext context = HttpClientContext.create();
      assertEquals("200 safe", get(running, server, context));
      assertNotNull(context.getSSLSession());
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneTunnelServesManyRequests(Stack stack) throws Exception {
    try (MockServer server = TunnelTest.serve();
        TunnelProxy proxy = new TunnelProxy(head -> "");
        AsyncStack.Running running = start(stack, proxy)) {
      assertEquals("200 safe", get(running, server, HttpClientContext.create()));
      AsyncStack.assertNothingIsLeased(running);
      assertEquals("200 safe", get(running, server, HttpClientContext.create()));
      assertEquals(1, proxy.heads.size());
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aProxyThatAsksIsShownApachesCredentials(Stack stack) throws Exception {
    try (MockServer server = TunnelTest.serve();
        TunnelProxy proxy = new TunnelProxy(TunnelTest::askForBasic);
        AsyncStack.Running running = start(stack, proxy)) {
      assertEquals("200 safe", get(running, server, TunnelTest.knowing()));
      assertEquals(2, proxy.heads.size());
      assertFalse(proxy.heads.getFirst().contains("Proxy-Authorization"));
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void credentialsMayBeShownWithoutBeingAskedFor(Stack stack) throws Exception {
    try (MockServer server = TunnelTest.serve();
        TunnelProxy proxy = new TunnelProxy(TunnelTest::askForBasic);
        AsyncStack.Running running = start(stack, proxy)) {
      BasicScheme scheme = new BasicScheme();
      scheme.initPreemptive(new UsernamePasswordCredentials("u", "p".toCharArray()));
      HttpClientContext context = TunnelTest.knowing();
      context.resetAuthExchange(TunnelTest.host(proxy), scheme);
      assertEquals("200 safe", get(running, server, context));
      assertEquals(1, proxy.heads.size());
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAProxySaysInsteadOfOpeningATunnelIsTheResponse(Stack stack) throws Exception {
    String refusal = "HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\nno!";
    try (MockServer server = TunnelTest.serve();
        TunnelProxy refusing = new TunnelProxy(head -> refusal);
        AsyncStack.Running running = start(stack, refusing)) {
      assertEquals("403 no!", get(running, server, HttpClientContext.create()));
      assertEquals(0, server.connections());
      AsyncStack.assertNothingIsLeased(running);
    }
  }
}
