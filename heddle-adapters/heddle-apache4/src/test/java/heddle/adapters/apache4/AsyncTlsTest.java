package heddle.adapters.apache4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.TunnelProxy;
import heddle.testkit.mock.MockServer;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;
import org.apache.http.HttpHost;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous requests over TLS and through tunnels are the same over both. */
@Timeout(60)
class AsyncTlsTest {
  @ParameterizedTest
  @EnumSource
  void aTrustedServerIsAsked(AsyncTest.Carrier carrier) throws Exception {
    try (MockServer server = TlsTest.serve("localhost");
        AsyncTest.Running running = carrier.start(TlsTest.trusting(), builder -> builder)) {
      assertEquals("200 safe", running.send(new HttpGet(server.url("/"))));
      running.awaitNothingLeased();
      assertEquals("200 safe", running.send(new HttpGet(server.url("/"))));
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerWithAnUntrustedCertificateIsRefused(AsyncTest.Carrier carrier) throws Exception {
    try (MockServer server = TlsTest.serve("localhost");
        AsyncTest.Running running = carrier.start()) {
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> running.send(new HttpGet(server.url("/"))));
      assertInstanceOf(SSLException.class, failed.getCause());
      running.awaitNothingLeased();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCertificateForAnotherHostIsRefused(AsyncTest.Carrier carrier) throws Exception {
    try (MockServer server = TlsTest.serve("elsewhere.test");
        AsyncTest.Running running = carrier.start(TlsTest.trusting(), builder -> builder)) {
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> running.send(new HttpGet(server.url("/"))));
      assertInstanceOf(SSLException.class, failed.getCause());
    }
  }

  // ---- tunnels

  private static AsyncTest.Running through(
      TunnelProxy proxy, AsyncTest.Carrier carrier, boolean known) throws Exception {
    BasicCredentialsProvider credentials = new BasicCredentialsProvider();
    if (known) {
      credentials.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials("u", "p"));
    }
    return carrier.start(TlsTest.trusting(), builder -> builder
        .setProxy(new HttpHost("localhost", proxy.port()))
        .setDefaultCredentialsProvider(credentials));
  }

  @ParameterizedTest
  @EnumSource
  void oneTunnelServesManyRequests(AsyncTest.Carrier carrier) throws Exception {
    try (MockServer server = TlsTest.serve("localhost");
        TunnelProxy proxy = new TunnelProxy(head -> "");
        AsyncTest.Running running = through(proxy, carrier, false)) {
      assertEquals("200 safe", running.send(new HttpGet(server.url("/"))));
      running.awaitNothingLeased();
      assertEquals("200 safe", running.send(new HttpGet(server.url("/"))));
      assertEquals(1, proxy.heads().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aChallengeOfTheProxyIsAnswered(AsyncTest.Carrier carrier) throws Exception {
    try (MockServer server = TlsTest.serve("localhost");
        TunnelProxy proxy = new TunnelProxy(TlsTest::askForBasic);
        AsyncTest.Running running = through(proxy, carrier, true)) {
      assertEquals("200 safe", running.send(new HttpGet(server.url("/"))));
      assertEquals(2, proxy.heads().size());
      running.awaitNothingLeased();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theResponseOfAProxyThatRefusesIsReturned(AsyncTest.Carrier carrier) throws Exception {
    try (MockServer server = TlsTest.serve("localhost");
        TunnelProxy proxy = new TunnelProxy(TlsTest::askForBasic);
        AsyncTest.Running running = through(proxy, carrier, false)) {
      assertEquals("407 who?", running.send(new HttpGet(server.url("/"))));
      running.awaitNothingLeased();
    }
  }
}
