package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.HttpVersion;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.ClientProperties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom Jersey's client trusts, and who says that a host is the right one. */
@Timeout(60)
final class TlsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set before all tests
  static Path folder;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Identity right;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Identity wrong;

  @BeforeAll
  static void make() throws Exception {
    right = Identity.make(folder.resolve("right.p12"), "DNS:localhost,IP:127.0.0.1");
    wrong = Identity.make(folder.resolve("wrong.p12"), "DNS:loom.test");
  }

  private static MockServer server(Identity identity) throws Exception {
    MockServer server = MockServer.builder().tls(identity.server()).start();
    server.handler(request -> MockResponse.ok("secret"));
    return server;
  }

  private static ClientBuilder builder(Carrier carrier, SSLContext context) {
    return ClientBuilder.newBuilder().withConfig(carrier.config()).sslContext(context);
  }

  private static String get(Client client, MockServer server) {
    return client.target(server.url("/")).request().get(String.class);
  }

  private static IOException refusal(Client client, MockServer server) {
    ProcessingException failure =
        assertThrows(ProcessingException.class, () -> get(client, server));
    return assertInstanceOf(IOException.class, failure.getCause(), failure::toString);
  }

  @ParameterizedTest
  @EnumSource
  void contextOfTheClientSaysWhomToTrust(Carrier carrier) throws Exception {
    try (MockServer server = server(right);
        Client client = builder(carrier, right.trusting()).build();
        Client stranger = carrier.client()) {
      assertEquals("secret", get(client, server));
      assertInstanceOf(SSLHandshakeException.class, refusal(stranger, server));
    }
  }

  @ParameterizedTest
  @EnumSource
  void certificateForAnotherHostIsRefused(Carrier carrier) throws Exception {
    try (MockServer server = server(wrong);
        Client client = builder(carrier, wrong.trusting()).build()) {
      assertNotNull(refusal(client, server));
    }
  }

  @Test
  void http2IsSpokenWhereTheServerKnowsIt() throws Exception {
    try (MockServer server = server(right);
        Client client = builder(Carrier.HEDDLE, right.trusting()).build()) {
      assertEquals("secret", get(client, server));
      assertEquals(HttpVersion.HTTP_2, server.takeRequest().version());
    }
  }

  /** With Jersey's own connector the context of one request stays for those that follow. */
  @Test
  void contextOfOneRequestComesBeforeThatOfTheClientAndIsForThatRequestAlone() throws Exception {
    Supplier<SSLContext> supplier = right::trusting;
    try (MockServer server = server(right);
        Client client = Carrier.HEDDLE.client()) {
      assertEquals(
          "secret",
          client
              .target(server.url("/"))
              .request()
              .property(ClientProperties.SSL_CONTEXT_SUPPLIER, supplier)
              .get(String.class));
      assertNotNull(refusal(client, server));
    }
  }

  // ---- verifiers

  @ParameterizedTest
  @EnumSource
  void verifierMayTakeAServerForAnother(Carrier carrier) throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    HostnameVerifier verifier = (host, session) -> {
      asked.add(host + " " + session.getPeerHost());
      return true;
    };
    try (MockServer server = server(wrong);
        Client client =
            builder(carrier, wrong.trusting()).hostnameVerifier(verifier).build()) {
      assertEquals("secret", get(client, server));
      assertEquals(List.of("localhost localhost"), asked);
    }
  }

  @ParameterizedTest
  @EnumSource
  void verifierDoesNotMakeAnAuthorityTrusted(Carrier carrier) throws Exception {
    try (MockServer server = server(right);
        Client client = builder(carrier, wrong.trusting())
            .hostnameVerifier((host, session) -> true)
            .build()) {
      assertNotNull(refusal(client, server));
    }
  }

  @ParameterizedTest
  @EnumSource
  void serverThatTheVerifierRefusesGetsNoRequest(Carrier carrier) throws Exception {
    try (MockServer server = server(wrong);
        Client client = builder(carrier, wrong.trusting())
            .hostnameVerifier((host, session) -> false)
            .build()) {
      IOException refusal = refusal(client, server);
      if (carrier == Carrier.HEDDLE) {
        assertInstanceOf(SSLHandshakeException.class, refusal);
      }
      assertEquals(List.of(), server.requests());
    }
  }

  @Test
  void whatAVerifierThrowsIsACauseOfTheFailure() throws Exception {
    IllegalStateException broken = new IllegalStateException("the loom is broken");
    HostnameVerifier verifier = (host, session) -> {
      throw broken;
    };
    try (MockServer server = server(right);
        Client client =
            builder(Carrier.HEDDLE, right.trusting()).hostnameVerifier(verifier).build()) {
      Throwable cause = refusal(client, server);
      while (cause != null && cause != broken) {
        cause = cause.getCause();
      }
      assertNotNull(cause);
      assertEquals(List.of(), server.requests());
    }
  }

  /** For each connection, also one whose TLS session is resumed. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void verifierIsAskedForEachConnectionOnTheThreadOfTheCall(String version) throws Exception {
    List<Thread> askedOn = new CopyOnWriteArrayList<>();
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, right.managers(), null);
    HostnameVerifier verifier = (host, session) -> {
      assertEquals(version, session.getProtocol());
      return askedOn.add(Thread.currentThread());
    };
    try (MockServer server = MockServer.builder().tls(right.server(version)).start();
        Client client = ClientBuilder.newBuilder()
            .withConfig(new ClientConfig()
                .connectorProvider(HeddleConnectorProvider.with(
                    settings -> settings.version(HttpVersion.HTTP_1_1))))
            .sslContext(context)
            .hostnameVerifier(verifier)
            .build()) {
      server.handler(request -> MockResponse.ok("secret").header("Connection", "close"));
      for (int i = 0; i < 3; i++) {
        assertEquals("secret", get(client, server));
      }
      assertEquals(3, server.connections());
      assertEquals(Collections.nCopies(3, Thread.currentThread()), askedOn);
    }
  }
}
