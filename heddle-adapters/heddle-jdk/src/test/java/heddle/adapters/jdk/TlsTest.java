package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls over TLS, and versions of HTTP. */
@Timeout(60)
class TlsTest {
  private static TestIdentity identity;
  private static SSLContext trusting;

  @AutoClose
  private static MockServer server;

  @BeforeAll
  static void start() throws Exception {
    identity = TestIdentity.forNames("localhost", "127.0.0.1");
    trusting = identity.trusting();
    server = MockServer.builder().tls(identity.server()).start();
    server.handler(request -> MockResponse.ok(request.body().length + request.target()));
  }

  private static HttpClient.Builder trusting(Stack stack) {
    return stack.builder().proxy(HttpClient.Builder.NO_PROXY).sslContext(trusting);
  }

  private static HttpRequest.Builder request() {
    return HttpRequest.newBuilder(URI.create(server.url("/x")));
  }

  @ParameterizedTest
  @EnumSource
  void http2IsAgreedOn(Stack stack) throws Exception {
    try (HttpClient client = trusting(stack).build()) {
      HttpRequest post =
          request().POST(BodyPublishers.ofByteArray(new byte[200_000])).build();
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> response = client.send(post, BodyHandlers.ofString());
        assertEquals("200000/x", response.body());
        assertEquals(Version.HTTP_2, response.version());
        SSLSession session = response.sslSession().orElseThrow();
        assertEquals("TLSv1.3", session.getProtocol());
        assertEquals(1, session.getPeerCertificates().length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSessionOfAResponseCannotBeChanged(Stack stack) throws Exception {
    try (HttpClient client = trusting(stack).build()) {
      SSLSession session =
          client.send(request().build(), BodyHandlers.discarding()).sslSession().orElseThrow();
      assertThrows(UnsupportedOperationException.class, session::invalidate);
      assertThrows(UnsupportedOperationException.class, () -> session.putValue("a", "b"));
      assertThrows(UnsupportedOperationException.class, () -> session.removeValue("a"));
      assertTrue(session.isValid());
      assertEquals(URI.create(server.url("/")).getHost(), session.getPeerHost());
      assertEquals(server.port(), session.getPeerPort());
      assertTrue(session.getId().length > 0);
      assertTrue(session.getApplicationBufferSize() > 0);
      assertTrue(session.getPacketBufferSize() > 0);
      assertTrue(session.getCreationTime() > 0);
      assertTrue(session.getLastAccessedTime() >= session.getCreationTime());
      assertNotNull(session.getPeerPrincipal());
      assertNull(session.getLocalCertificates());
      assertNull(session.getLocalPrincipal());
      assertNull(session.getValue("a"));
      assertEquals(0, session.getValueNames().length);
      ExtendedSSLSession extended = assertInstanceOf(ExtendedSSLSession.class, session);
      assertTrue(extended.getLocalSupportedSignatureAlgorithms().length > 0);
      assertNotNull(extended.getPeerSupportedSignatureAlgorithms());
      assertEquals(List.of(), extended.getStatusResponses());
    }
  }

  @ParameterizedTest
  @EnumSource
  void parametersSayWhichGroupsAreOffered(Stack stack) throws Exception {
    SSLParameters parameters = new SSLParameters();
    parameters.setNamedGroups(new String[] {"secp384r1"});
    try (HttpClient client = trusting(stack).sslParameters(parameters).build()) {
      assertEquals(
          "0/x", client.send(request().build(), BodyHandlers.ofString()).body());
    }
  }

  /** Servers that are called by their name get it. */
  @ParameterizedTest
  @EnumSource
  void aServerCalledByItsAddressGetsTheNamesOfTheParameters(Stack stack) throws Exception {
    SSLParameters parameters = new SSLParameters();
    List<SNIServerName> names = List.of(new SNIHostName("other.test"));
    parameters.setServerNames(names);
    SSLContext own = identity.trusting(); // No session of another test is resumed.
    try (HttpClient client =
        trusting(stack).sslContext(own).sslParameters(parameters).build()) {
      assertEquals(names, toldNames(client, "127.0.0.1"));
      assertEquals(List.of(new SNIHostName("localhost")), toldNames(client, "localhost"));
    }
  }

  private static List<SNIServerName> toldNames(HttpClient client, String host) throws Exception {
    URI uri = URI.create("https://" + host + ":" + server.port() + "/");
    HttpResponse<?> response =
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    return ((ExtendedSSLSession) response.sslSession().orElseThrow()).getRequestedServerNames();
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionHasItsOwnLabel(Stack stack) throws Exception {
    assumeTrue(NewerApi.IS_THERE, "connections have labels from Java 25 on");
    try (HttpClient client = trusting(stack).build()) {
      List<Object> labels = new ArrayList<>();
      for (Version version : new Version[] {Version.HTTP_2, Version.HTTP_2, Version.HTTP_1_1}) {
        labels.add(NewerApi.connectionLabel(
                client.send(request().version(version).build(), BodyHandlers.discarding()))
            .orElseThrow());
      }
      assertEquals(labels.get(0), labels.get(1));
      assertNotEquals(labels.get(0), labels.get(2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theResponseToHeadIsEmpty(Stack stack) throws Exception {
    try (HttpClient client = trusting(stack).build()) {
      HttpResponse<String> response =
          client.send(request().HEAD().build(), BodyHandlers.ofString());
      assertEquals("", response.body());
      assertEquals("3", response.headers().firstValue("content-length").orElse(null));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theVersionOfTheClientOrTheRequestIsSpoken(Stack stack) throws Exception {
    try (HttpClient client = trusting(stack).version(Version.HTTP_1_1).build()) {
      assertEquals(
          Version.HTTP_1_1,
          client.send(request().build(), BodyHandlers.ofString()).version());
      HttpRequest newer = request().version(Version.HTTP_2).build();
      assertEquals(Version.HTTP_2, client.send(newer, BodyHandlers.ofString()).version());
    }
    try (HttpClient client = trusting(stack).build()) {
      HttpRequest older = request().version(Version.HTTP_1_1).build();
      assertEquals(Version.HTTP_1_1, client.send(older, BodyHandlers.ofString()).version());
    }
  }

  @ParameterizedTest
  @EnumSource
  void parametersSayWhichTlsIsSpoken(Stack stack) throws Exception {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.2"});
    try (HttpClient client = trusting(stack).sslParameters(parameters).build()) {
      HttpResponse<Void> response = client.send(request().build(), BodyHandlers.discarding());
      assertEquals("TLSv1.2", response.sslSession().orElseThrow().getProtocol());
    }
  }

  @ParameterizedTest
  @EnumSource
  void parametersSayWhichCipherSuiteIsUsed(Stack stack) throws Exception {
    for (String suite : new String[] {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"}) {
      SSLParameters parameters = new SSLParameters();
      parameters.setCipherSuites(new String[] {suite});
      try (HttpClient client = trusting(stack).sslParameters(parameters).build()) {
        HttpResponse<Void> response = client.send(request().build(), BodyHandlers.discarding());
        assertEquals(suite, response.sslSession().orElseThrow().getCipherSuite());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUntrustedServerIsAnSslHandshakeException(Stack stack) {
    try (HttpClient client = stack.client()) {
      assertThrows(
          SSLHandshakeException.class,
          () -> client.send(request().build(), BodyHandlers.ofString()));
      ExecutionException later = assertThrows(
          ExecutionException.class,
          () -> client.sendAsync(request().build(), BodyHandlers.ofString()).get());
      assertInstanceOf(SSLHandshakeException.class, later.getCause());
    }
  }

  @Test
  void aPriorityIsSentInItsField() throws Exception {
    record Case(int weight, String field) {}
    for (Case each : new Case[] {new Case(1, "u=7"), new Case(128, "u=4"), new Case(256, "u=0")}) {
      try (HttpClient client = trusting(Stack.HEDDLE).priority(each.weight()).build()) {
        server.reset();
        server.handler(request -> MockResponse.ok(String.valueOf(request.header("priority"))));
        HttpResponse<String> response = client.send(request().build(), BodyHandlers.ofString());
        assertEquals(each.field(), response.body());
        HttpRequest own = request().header("Priority", "i").build();
        assertEquals("i", client.send(own, BodyHandlers.ofString()).body());
      } finally {
        server.handler(request -> MockResponse.ok(request.body().length + request.target()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPushHandlerIsTaken(Stack stack) throws Exception {
    try (HttpClient client = trusting(stack).build()) {
      CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
          request().build(), BodyHandlers.ofString(), (first, pushed, acceptor) -> {
            throw new AssertionError("nothing is pushed");
          });
      assertEquals("0/x", answer.get().body());
    }
  }
}
