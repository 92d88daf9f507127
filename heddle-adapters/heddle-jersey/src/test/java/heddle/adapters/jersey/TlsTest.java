package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpVersion;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.ClientProperties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which servers Jersey's client trusts, and which hosts it accepts. */
@Timeout(60)
final class TlsTest {
  @SuppressWarnings("NullAway.Init") // set before all tests
  private static TestIdentity right;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static TestIdentity wrong;

  @BeforeAll
  static void make() throws Exception {
    right = TestIdentity.forNames("localhost", "127.0.0.1");
    wrong = TestIdentity.forNames("loom.test");
  }

  private static MockServer server(TestIdentity identity) throws Exception {
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

  /** The JDK's HttpURLConnection, under Jersey's own connector, says so by its message alone. */
  private static void assertHostRefused(Carrier carrier, IOException refusal) {
    if (carrier == Carrier.HEDDLE) {
      assertInstanceOf(SSLHandshakeException.class, refusal);
    } else {
      assertTrue(
          String.valueOf(refusal.getMessage())
              .matches("(Wrong HTTPS hostname|HTTPS hostname wrong).*"),
          refusal::toString);
    }
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
      assertInstanceOf(SSLHandshakeException.class, refusal(client, server));
    }
  }

  @Test
  void http2IsUsedIfTheServerSupportsIt() throws Exception {
    try (MockServer server = server(right);
        Client client = builder(Carrier.HEDDLE, right.trusting()).build()) {
      assertEquals("secret", get(client, server));
      assertEquals(HttpVersion.HTTP_2, server.takeRequest().version());
    }
  }

  /** With Jersey's own connector the context of one request stays for those that follow. */
  @Test
  void contextOfOneRequestComesBeforeThatOfTheClientAndIsForThatRequestAlone() throws Exception {
    SSLContext trusting = right.trusting();
    Supplier<SSLContext> supplier = () -> trusting;
    try (MockServer server = server(right);
        Client client = Carrier.HEDDLE.client()) {
      assertEquals(
          "secret",
          client
              .target(server.url("/"))
              .request()
              .property(ClientProperties.SSL_CONTEXT_SUPPLIER, supplier)
              .get(String.class));
      assertInstanceOf(SSLHandshakeException.class, refusal(client, server));
    }
  }

  // ---- the server name

  @ParameterizedTest
  @EnumSource
  void nameOfARequestIsWhoTheServerHasToBe(Carrier carrier) throws Exception {
    try (MockServer server = server(wrong);
        Client client = builder(carrier, wrong.trusting()).build()) {
      String told = client
          .target(server.url("/"))
          .request()
          .property(ClientProperties.SNI_HOST_NAME, "loom.test")
          .get(String.class);
      assertEquals("secret", told);
    }
  }

  @Test
  void nameOfTheClientHoldsForItsRequestsAndForNoOtherHost() throws Exception {
    try (MockServer server = server(wrong);
        MockServer other = server(right);
        Client client =
            builder(Carrier.HEDDLE, TestIdentity.trusting(right, wrong)).build()) {
      client.property(ClientProperties.SNI_HOST_NAME, "loom.test:8443");
      assertEquals("secret", get(client, server));
      assertInstanceOf(SSLHandshakeException.class, refusal(client, other));
      server.handler(request ->
          MockResponse.of(302).header("Location", "https://127.0.0.1:" + other.port() + "/"));
      assertEquals("secret", get(client, server));
    }
  }

  /** A session made with a server of another name proves nothing about the host. */
  @Test
  void handshakeWithANameIsResumedWithThatNameAlone() throws Exception {
    try (MockServer server = server(wrong);
        Client client = builder(Carrier.HEDDLE, wrong.trusting()).build()) {
      for (int i = 0; i < 2; i++) {
        assertEquals(
            "secret",
            client
                .target(server.url("/"))
                .request()
                .property(ClientProperties.SNI_HOST_NAME, "loom.test")
                .get(String.class));
        assertInstanceOf(SSLHandshakeException.class, refusal(client, server));
      }
    }
  }

  /** As with Jersey's own connectors, unless the property says otherwise. */
  @ParameterizedTest
  @ValueSource(strings = {"loom.test", "loom.test:8443"})
  void fieldHostOfARequestIsWhoTheServerHasToBe(String field) throws Exception {
    try (MockServer server = server(wrong);
        Client client = builder(Carrier.HEDDLE, wrong.trusting()).build()) {
      Invocation.Builder request = client.target(server.url("/")).request().header("Host", field);
      assertEquals("secret", request.get(String.class));
      request.property(ClientProperties.SNI_HOST_NAME, "localhost");
      assertThrows(ProcessingException.class, request::get);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1:443", "localhost:1", "[::1]:443"})
  void fieldHostThatIsNotAnotherNameIsIgnored(String field) throws Exception {
    try (MockServer server = server(right);
        Client client = builder(Carrier.HEDDLE, right.trusting()).build()) {
      assertEquals(
          "secret",
          client.target(server.url("/")).request().header("Host", field).get(String.class));
    }
  }

  @Test
  void nameIsSentBeforeAnythingIsKnownOfTheServer() throws Exception {
    for (String given : List.of("loom.test", "localhost", "LooM.TEST")) {
      String name = given.toLowerCase(Locale.ROOT);
      try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          Client client = builder(Carrier.HEDDLE, right.trusting()).build()) {
        Future<Response> call = client
            .target("https://localhost:" + listening.getLocalPort() + "/")
            .request()
            .property(ClientProperties.SNI_HOST_NAME, given)
            .async()
            .get();
        try (Socket socket = listening.accept()) {
          byte[] hello = new byte[10_000];
          int length = socket.getInputStream().read(hello);
          String text = new String(hello, 0, length, StandardCharsets.ISO_8859_1);
          assertTrue(text.contains(name), name);
          assertEquals(name.equals("localhost"), text.contains("localhost"));
        }
        assertThrows(ExecutionException.class, call::get);
      }
    }
  }

  @Test
  void verifierIsAskedAboutTheHostWhateverNameIsSent() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    try (MockServer server = server(wrong);
        Client client = builder(Carrier.HEDDLE, wrong.trusting())
            .hostnameVerifier((host, session) -> asked.add(host))
            .build()) {
      client.property(ClientProperties.SNI_HOST_NAME, "warp.test");
      assertEquals("secret", get(client, server));
      assertEquals(List.of("localhost"), asked);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"no name", "10.0.0.1", "", "_loom.test/"})
  void invalidServerNamesAreRefused(String name) {
    try (Client client = Carrier.HEDDLE.client()) {
      ProcessingException failure = assertThrows(ProcessingException.class, () -> client
          .target("https://localhost:1/")
          .request()
          .property(ClientProperties.SNI_HOST_NAME, name)
          .get());
      assertInstanceOf(IllegalArgumentException.class, failure.getCause());
      assertTrue(
          String.valueOf(failure.getMessage()).contains(ClientProperties.SNI_HOST_NAME),
          failure::toString);
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
      assertInstanceOf(SSLHandshakeException.class, refusal(client, server));
    }
  }

  @ParameterizedTest
  @EnumSource
  void serverThatTheVerifierRefusesGetsNoRequest(Carrier carrier) throws Exception {
    try (MockServer server = server(wrong);
        Client client = builder(carrier, wrong.trusting())
            .hostnameVerifier((host, session) -> false)
            .build()) {
      assertHostRefused(carrier, refusal(client, server));
      assertEquals(List.of(), server.requests());
    }
  }

  @Test
  void exceptionsOfAVerifierAreACauseOfTheFailure() throws Exception {
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
      assertSame(broken, cause);
      assertEquals(List.of(), server.requests());
    }
  }

  /** For each connection, also one whose TLS session is resumed. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void verifierIsCalledForEachConnectionOnTheThreadOfTheCall(String version) throws Exception {
    List<Thread> askedOn = new CopyOnWriteArrayList<>();
    SSLContext context = right.trusting();
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
