package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.util.List;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.core5.http.HttpHost;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests for http targets may go through a proxy. */
@Timeout(60)
class ProxyTest {
  @ParameterizedTest
  @EnumSource
  void theProxyIsToldTheWholeTarget(Stack stack) throws Exception {
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
  void aProxyThatAsksForCredentialsGetsThemFromApache(Stack stack) throws Exception {
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
}
