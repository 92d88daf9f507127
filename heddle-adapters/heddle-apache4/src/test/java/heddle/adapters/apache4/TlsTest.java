package heddle.adapters.apache4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.TunnelProxy;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.apache.http.HttpHost;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.conn.ssl.NoopHostnameVerifier;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests over TLS, and through tunnels. */
@Timeout(60)
class TlsTest {
  private static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder().certificateAuthority(0).build();

  static SSLContext trusting() {
    return new HandshakeCertificates.Builder()
        .addTrustedCertificate(AUTHORITY.certificate())
        .build()
        .sslContext();
  }

  static MockServer serve(String host) throws IOException {
    HeldCertificate own = new HeldCertificate.Builder()
        .addSubjectAlternativeName(host)
        .signedBy(AUTHORITY)
        .build();
    TlsOptions options = TlsOptions.builder()
        .identity(
            List.of(own.certificate(), AUTHORITY.certificate()), own.keyPair().getPrivate())
        .build();
    MockServer server = MockServer.builder().tls(options).start();
    server.answer("/", MockResponse.ok("safe"));
    return server;
  }

  @ParameterizedTest
  @EnumSource
  void aTrustedServerIsAsked(Stack stack) throws Exception {
    try (MockServer server = serve("localhost");
        Stack.Running running = stack.start(trusting(), builder -> builder)) {
      assertEquals("200 safe", running.get(server.url("/")));
      assertEquals("200 safe", running.get(server.url("/")));
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerWithAnUntrustedCertificateIsRefused(Stack stack) throws Exception {
    try (MockServer server = serve("localhost");
        Stack.Running running = stack.start()) {
      assertThrows(SSLHandshakeException.class, () -> running.get(server.url("/")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCertificateForAnotherHostIsRefused(Stack stack) throws Exception {
    try (MockServer server = serve("elsewhere.test");
        Stack.Running running = stack.start(trusting(), builder -> builder)) {
      assertThrows(SSLException.class, () -> running.get(server.url("/")));
    }
  }

  @Test
  void aHostnameVerifierDecidesAlone() throws Exception {
    HeddleConnectionManager manager = HeddleConnectionManager.builder()
        .setSSLContext(trusting())
        .setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE)
        .build();
    try (MockServer server = serve("elsewhere.test");
        CloseableHttpClient client =
            HttpClients.custom().setConnectionManager(manager).build()) {
      var response = client.execute(new HttpGet(server.url("/")));
      assertEquals(200, response.getStatusLine().getStatusCode());
      response.close();
    }
  }

  // ---- tunnels

  private static Stack.Running through(TunnelProxy proxy, Stack stack, boolean known) {
    BasicCredentialsProvider credentials = new BasicCredentialsProvider();
    if (known) {
      credentials.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials("u", "p"));
    }
    return stack.start(trusting(), builder -> builder
        .setProxy(new HttpHost("localhost", proxy.port()))
        .setDefaultCredentialsProvider(credentials)
        .disableAutomaticRetries());
  }

  static String askForBasic(String head) {
    return head.contains("Proxy-Authorization: Basic dTpw\r\n")
        ? ""
        : "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"p\"\r\n"
            + "Content-Length: 4\r\n\r\nwho?";
  }

  @ParameterizedTest
  @EnumSource
  void oneTunnelServesManyRequests(Stack stack) throws Exception {
    try (MockServer server = serve("localhost");
        TunnelProxy proxy = new TunnelProxy(head -> "");
        Stack.Running running = through(proxy, stack, false)) {
      assertEquals("200 safe", running.get(server.url("/")));
      assertEquals("200 safe", running.get(server.url("/")));
      assertEquals(1, proxy.heads().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aChallengeOfTheProxyIsAnswered(Stack stack) throws Exception {
    try (MockServer server = serve("localhost");
        TunnelProxy proxy = new TunnelProxy(TlsTest::askForBasic);
        Stack.Running running = through(proxy, stack, true)) {
      assertEquals("200 safe", running.get(server.url("/")));
      assertEquals("200 safe", running.get(server.url("/")));
      assertEquals(2, proxy.heads().size());
      assertTrue(
          server.requests().stream().allMatch(each -> each.header("Proxy-Authorization") == null));
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theResponseOfAProxyThatRefusesIsReturned(Stack stack) throws Exception {
    try (MockServer server = serve("localhost");
        TunnelProxy proxy = new TunnelProxy(TlsTest::askForBasic);
        Stack.Running running = through(proxy, stack, false)) {
      assertEquals("407 who?", running.get(server.url("/")));
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }
}
