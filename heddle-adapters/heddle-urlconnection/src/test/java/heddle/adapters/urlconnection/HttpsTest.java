package heddle.adapters.urlconnection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What users of HttpsURLConnection rely on, over the JDK's own connections and Heddle's. */
@Timeout(60)
class HttpsTest {
  private static TestIdentity right;
  private static TestIdentity other;
  private static MockServer server;
  private static MockServer misnamed;

  @BeforeAll
  static void start() throws Exception {
    right = TestIdentity.forNames("localhost", "127.0.0.1");
    other = TestIdentity.forNames("other.test");
    server = MockServer.builder().tls(right.server()).start();
    misnamed = MockServer.builder().tls(other.server()).start();
    server.answer("/a", MockResponse.ok("hi"));
    misnamed.answer("/a", MockResponse.ok("hi"));
  }

  @AfterAll
  static void stop() {
    server.close();
    misnamed.close();
  }

  private static SSLSocketFactory trusting(TestIdentity identity) throws Exception {
    return HeddleUrlConnections.socketFactory(identity.trusting());
  }

  private static HttpsURLConnection open(Stack stack, MockServer opened) throws IOException {
    return assertInstanceOf(HttpsURLConnection.class, stack.open(opened.url("/a")));
  }

  @ParameterizedTest
  @EnumSource
  void theSessionOfAConnectionIsShown(Stack stack) throws Exception {
    HttpsURLConnection connection = open(stack, server);
    connection.setSSLSocketFactory(trusting(right));
    assertThrows(IllegalStateException.class, connection::getCipherSuite);
    assertEquals(200, connection.getResponseCode());
    assertTrue(connection.getCipherSuite().startsWith("TLS_"));
    assertEquals(right.certificate(), connection.getServerCertificates()[0]);
    assertEquals(right.certificate().getSubjectX500Principal(), connection.getPeerPrincipal());
    assertNull(connection.getLocalCertificates());
    assertNull(connection.getLocalPrincipal());
    assertNotNull(connection.getSSLSession().orElseThrow().getProtocol());
    String version = stack == Stack.STOCK ? "HTTP/1.1 200" : "HTTP/2 200";
    assertTrue(connection.getHeaderField(0).startsWith(version));
    assertEquals("hi", Stack.read(connection));
  }

  @ParameterizedTest
  @EnumSource
  void theSessionIsKnownOnceConnected(Stack stack) throws Exception {
    HttpsURLConnection connection = open(stack, server);
    connection.setSSLSocketFactory(trusting(right));
    connection.connect();
    assertTrue(connection.getCipherSuite().startsWith("TLS_"));
    assertEquals(right.certificate(), connection.getServerCertificates()[0]);
    assertEquals("hi", Stack.read(connection));
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsNotTrustedIsRefused(Stack stack) throws Exception {
    assertThrows(SSLHandshakeException.class, open(stack, server)::connect);
    HttpsURLConnection connection = open(stack, server);
    connection.setSSLSocketFactory(trusting(other));
    assertThrows(SSLHandshakeException.class, connection::getInputStream);
  }

  @ParameterizedTest
  @EnumSource
  void theDefaultFactoryAndVerifierAreUsed(Stack stack) throws Exception {
    SSLSocketFactory factory = HttpsURLConnection.getDefaultSSLSocketFactory();
    HostnameVerifier verifier = HttpsURLConnection.getDefaultHostnameVerifier();
    try {
      HttpsURLConnection.setDefaultSSLSocketFactory(trusting(other));
      HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> host.equals("localhost"));
      assertEquals("hi", Stack.read(open(stack, misnamed)));
    } finally {
      HttpsURLConnection.setDefaultSSLSocketFactory(factory);
      HttpsURLConnection.setDefaultHostnameVerifier(verifier);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theVerifierDecidesAboutAnotherName(Stack stack) throws Exception {
    HttpsURLConnection without = open(stack, misnamed);
    without.setSSLSocketFactory(trusting(other));
    assertThrows(SSLException.class, without::getInputStream);
    AtomicInteger asked = new AtomicInteger();
    HttpsURLConnection refusing = open(stack, misnamed);
    refusing.setSSLSocketFactory(trusting(other));
    refusing.setHostnameVerifier((host, session) -> {
      asked.incrementAndGet();
      return false;
    });
    assertThrows(IOException.class, refusing::getInputStream);
    HttpsURLConnection accepting = open(stack, misnamed);
    accepting.setSSLSocketFactory(trusting(other));
    accepting.setHostnameVerifier((host, session) -> asked.incrementAndGet() > 0);
    assertEquals("hi", Stack.read(accepting));
    assertEquals(2, asked.get());
  }

  @Test
  void aSilentHandshakeNamesTheConnectTimeout() throws Exception {
    try (ScriptedPeer peer =
        ScriptedPeer.each(TcpNetwork.shared(), connection -> connection.drain())) {
      HttpURLConnection connection = Stack.HEDDLE.open(peer.url("/").replace("http:", "https:"));
      connection.setConnectTimeout(50);
      SocketTimeoutException thrown =
          assertThrows(SocketTimeoutException.class, connection::getInputStream);
      assertTrue(thrown.getCause().getMessage().contains("; raise setConnectTimeout"));
    }
  }
}
