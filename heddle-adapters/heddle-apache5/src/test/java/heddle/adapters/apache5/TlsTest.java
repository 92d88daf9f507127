package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.failure.TlsException;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests over TLS. */
@Timeout(60)
class TlsTest {
  private static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder().certificateAuthority(0).build();

  private static SSLContext trusting() {
    return new HandshakeCertificates.Builder()
        .addTrustedCertificate(AUTHORITY.certificate())
        .build()
        .sslContext();
  }

  private static MockServer serve(String host) throws IOException {
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
  void aTrustedServerIsAskedAndItsSessionKnown(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.tls = trusting();
    try (MockServer server = serve("localhost");
        Stack.Running running = stack.start(setup)) {
      HttpClientContext context = HttpClientContext.create();
      for (int i = 0; i < 2; i++) {
        String text = running
            .client()
            .execute(
                new HttpGet(server.url("/")), context, r -> EntityUtils.toString(r.getEntity()));
        assertEquals("safe", text);
        assertNotNull(context.getSSLSession());
        assertEquals("TLSv1.3", context.getSSLSession().getProtocol());
      }
      assertEquals("HTTP/1.1", server.takeRequest().version().toString());
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerWithAnUntrustedCertificateIsRefused(Stack stack) throws Exception {
    try (MockServer server = serve("localhost");
        Stack.Running running = stack.start()) {
      SSLHandshakeException refused =
          assertThrows(SSLHandshakeException.class, () -> running.get(server.url("/")));
      if (stack == Stack.HEDDLE) {
        assertInstanceOf(TlsException.class, refused.getCause());
      }
      assertEquals(0, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCertificateForAnotherHostIsRefused(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.tls = trusting();
    try (MockServer server = serve("elsewhere.test");
        Stack.Running running = stack.start(setup)) {
      assertThrows(SSLException.class, () -> running.get(server.url("/")));
      assertEquals(0, server.requests().size());
    }
  }

  @Test
  void theVersionsOfTlsAreThoseOfItsConfiguration() throws Exception {
    HeddleConnectionManager manager = HeddleConnectionManager.builder()
        .setSslContext(trusting())
        .setDefaultTlsConfig(TlsConfig.custom().setSupportedProtocols("TLSv1.2").build())
        .build();
    HttpClientContext context = HttpClientContext.create();
    try (MockServer server = serve("localhost");
        CloseableHttpClient client =
            HttpClients.custom().setConnectionManager(manager).build()) {
      client.execute(
          new HttpGet(server.url("/")), context, r -> EntityUtils.toString(r.getEntity()));
      assertEquals("TLSv1.2", context.getSSLSession().getProtocol());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theHostnameVerifierOfAStrategyDecides(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    List<String> asked = new CopyOnWriteArrayList<>();
    setup.strategy = new DefaultClientTlsStrategy(
        trusting(), HostnameVerificationPolicy.CLIENT, (host, session) -> asked.add(host));
    try (MockServer server = serve("elsewhere.test");
        Stack.Running running = stack.start(setup)) {
      assertEquals("200 safe", running.get(server.url("/")));
      assertEquals(List.of(URI.create(server.url("/")).getHost()), asked);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aHostnameVerifierThatRefusesFailsTheRequest(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.strategy = new DefaultClientTlsStrategy(
        trusting(), HostnameVerificationPolicy.CLIENT, (host, session) -> false);
    try (MockServer server = serve("localhost");
        Stack.Running running = stack.start(setup)) {
      assertThrows(SSLPeerUnverifiedException.class, () -> running.get(server.url("/")));
      assertEquals(0, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothPoliciesVerifyTheNameInTheHandshake(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.strategy = new DefaultClientTlsStrategy(
        trusting(), HostnameVerificationPolicy.BOTH, NoopHostnameVerifier.INSTANCE);
    try (MockServer server = serve("elsewhere.test");
        Stack.Running running = stack.start(setup)) {
      assertThrows(SSLException.class, () -> running.get(server.url("/")));
      assertEquals(0, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theVersionsOfAStrategyAreUsed(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.strategy =
        new DefaultClientTlsStrategy(trusting(), new String[] {"TLSv1.2"}, null, null, null);
    HttpClientContext context = HttpClientContext.create();
    try (MockServer server = serve("localhost");
        Stack.Running running = stack.start(setup)) {
      running
          .client()
          .execute(new HttpGet(server.url("/")), context, r -> EntityUtils.toString(r.getEntity()));
      assertEquals("TLSv1.2", context.getSSLSession().getProtocol());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatASubclassDoesWithItsSessionCounts(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.strategy = new DefaultClientTlsStrategy(trusting()) {
      @Override
      protected void verifySession(String host, SSLSession session) throws SSLException {
        assertEquals(2, session.getPeerCertificates().length);
        throw new SSLException("not today");
      }
    };
    try (MockServer server = serve("localhost");
        Stack.Running running = stack.start(setup)) {
      assertThrows(SSLException.class, () -> running.get(server.url("/")));
      assertEquals(0, server.requests().size());
    }
  }

  @Test
  void aHostnameVerifierOfTheBuilderDecides() throws Exception {
    HeddleConnectionManager manager = HeddleConnectionManagerBuilder.create()
        .setSslContext(trusting())
        .setHostnameVerifier(NoopHostnameVerifier.INSTANCE)
        .build();
    try (MockServer server = serve("elsewhere.test");
        CloseableHttpClient client =
            HttpClients.custom().setConnectionManager(manager).build()) {
      String text =
          client.execute(new HttpGet(server.url("/")), r -> EntityUtils.toString(r.getEntity()));
      assertEquals("safe", text);
    }
  }

  @Test
  void anAsynchronousClientUsesItsTlsStrategy() throws Exception {
    HeddleAsyncConnectionManager manager = HeddleAsyncConnectionManagerBuilder.create()
        .setTlsStrategy(new DefaultClientTlsStrategy(
            trusting(), HostnameVerificationPolicy.CLIENT, NoopHostnameVerifier.INSTANCE))
        .build();
    try (MockServer server = serve("elsewhere.test");
        CloseableHttpAsyncClient client =
            HttpAsyncClients.custom().setConnectionManager(manager).build()) {
      client.start();
      SimpleHttpResponse response = client
          .execute(SimpleRequestBuilder.get(server.url("/")).build(), null)
          .get();
      assertEquals("safe", response.getBodyText());
      assertEquals(HttpVersion.HTTP_2, response.getVersion());
    }
  }
}
