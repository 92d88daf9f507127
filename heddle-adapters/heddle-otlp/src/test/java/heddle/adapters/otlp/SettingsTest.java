package heddle.adapters.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpVersion;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.TunnelProxy;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.TlsOptions;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** TLS, proxies, and what is refused. */
@Timeout(60)
final class SettingsTest {
  private static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder().certificateAuthority(0).build();
  private static final HeldCertificate LOCALHOST = new HeldCertificate.Builder()
      .addSubjectAlternativeName("localhost")
      .signedBy(AUTHORITY)
      .build();
  private static final HandshakeCertificates TRUSTED = new HandshakeCertificates.Builder()
      .addTrustedCertificate(AUTHORITY.certificate())
      .build();

  private static MockServer server(String... protocols) throws Exception {
    return server(LOCALHOST, protocols);
  }

  private static MockServer server(HeldCertificate held, String... protocols) throws Exception {
    TlsOptions.Builder identity = TlsOptions.builder()
        .identity(List.of(held.certificate()), held.keyPair().getPrivate());
    if (protocols.length > 0) {
      identity.protocols(protocols);
    }
    MockServer server = MockServer.builder().tls(identity.build()).start();
    server.answer("/", MockResponse.of(200));
    return server;
  }

  private static Object outcome(Config config) throws Exception {
    HttpSender sender = new HeddleHttpSender(config);
    CompletableFuture<Object> told = new CompletableFuture<>();
    sender.send(Config.message("spans"), told::complete, told::complete);
    try {
      return told.get();
    } finally {
      sender.shutdown();
    }
  }

  @Test
  void contextOrTrustManagerSaysWhomToTrust() throws Exception {
    try (MockServer server = server()) {
      Config trusting =
          new Config(server.url("/")).trust(TRUSTED.sslContext(), TRUSTED.trustManager());
      assertInstanceOf(HttpResponse.class, outcome(trusting));
      assertEquals(HttpVersion.HTTP_2, server.takeRequest().version());
      assertInstanceOf(
          HttpResponse.class,
          outcome(new Config(server.url("/")).trust(null, TRUSTED.trustManager())));
      assertInstanceOf(SSLHandshakeException.class, outcome(new Config(server.url("/"))));
    }
  }

  /** As with OkHttp, which is OpenTelemetry's own sender. */
  @Test
  void commonNameIsNoHost() throws Exception {
    HeldCertificate held = new HeldCertificate.Builder()
        .commonName("localhost")
        .signedBy(AUTHORITY)
        .build();
    try (MockServer server = server(held)) {
      assertWrongHost(new Config(server.url("/")));
    }
  }

  @Test
  void wildcardIsAWholeLabel() throws Exception {
    HeldCertificate held = new HeldCertificate.Builder()
        .addSubjectAlternativeName("f*.collector.invalid")
        .signedBy(AUTHORITY)
        .build();
    try (MockServer server = server(held);
        TunnelProxy tunnel = new TunnelProxy(head -> "")) {
      InetSocketAddress proxy =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), tunnel.port());
      assertWrongHost(new Config("https://foo.collector.invalid:" + server.port() + "/")
          .proxy(ProxyOptions.create(proxy)));
    }
  }

  private static void assertWrongHost(Config config) throws Exception {
    for (SSLContext context : Arrays.asList(TRUSTED.sslContext(), null)) {
      Object refusal = outcome(config.trust(context, TRUSTED.trustManager()));
      assertTrue(
          assertInstanceOf(IOException.class, refusal).getMessage().contains("RFC 9525"),
          refusal::toString);
    }
  }

  @Test
  void versionsOfTlsAreThoseThatAreEnabled() throws Exception {
    try (MockServer server = server("TLSv1.3")) {
      Config config =
          new Config(server.url("/")).trust(TRUSTED.sslContext(), TRUSTED.trustManager());
      assertInstanceOf(SSLHandshakeException.class, outcome(config.protocols(List.of("TLSv1.2"))));
      assertInstanceOf(HttpResponse.class, outcome(config.protocols(List.of("TLSv1.3"))));
    }
  }

  @Test
  void messageGoesThroughTheProxy() throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer proxy = ScriptedPeer.inOrder(network, c -> {
          String head = c.expectMessage();
          c.send(
              head.startsWith("POST http://collector.invalid/v1/logs HTTP/1.1\r\n")
                  ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                  : "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        })) {
      ProxyOptions options = ProxyOptions.create(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
      HttpResponse answer = assertInstanceOf(
          HttpResponse.class,
          outcome(new Config("http://collector.invalid/v1/logs").proxy(options)));
      assertEquals(200, answer.getStatusCode());
    }
  }

  @Test
  void optionsThatCannotBeHonouredAreRefusedByName() {
    assertRefused("endpoint", new Config("ftp://collector.invalid/"));
    assertRefused("timeout", new Config("http://localhost/").timeout(Duration.ofSeconds(-1)));
    assertRefused(
        "connect timeout", new Config("http://localhost/").connectTimeout(Duration.ofSeconds(-1)));
  }

  @Test
  void endpointIsNamedWithoutItsSecrets() {
    Config config = new Config("https://user:secret@collector.invalid/v1/traces?key=secret");
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> SenderSettings.target(config));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("https://collector.invalid/v1/traces "), message);
    assertFalse(message.contains("secret"), message);
  }

  private static void assertRefused(String name, Config config) {
    IllegalArgumentException failure = assertThrows(
        IllegalArgumentException.class, () -> new HeddleHttpSenderProvider().createSender(config));
    assertTrue(failure.getMessage().startsWith("the " + name + " "), failure.getMessage());
  }
}
