package heddle.adapters.urlconnection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.TunnelProxy;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Proxies, over the JDK's own connections and Heddle's. */
@Timeout(60)
class ProxiesTest {
  private static final String REFUSAL = "HTTP/1.1 407 Proxy Authentication Required\r\n"
      + "Proxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n";

  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  private static Proxy proxy(int port) {
    return new Proxy(Proxy.Type.HTTP, new InetSocketAddress("localhost", port));
  }

  private static Authenticator password(AtomicReference<String> asked) {
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        asked.set(getRequestorType() + " " + getRequestingPrompt() + " " + getRequestingScheme());
        return new PasswordAuthentication("u", "p".toCharArray());
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void theGivenProxyForwardsPlainRequests(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok("for " + request.target()));
    HttpURLConnection connection = stack.open("http://far.test/a?b", proxy(server.port()));
    assertEquals("for http://far.test/a?b", Stack.read(connection));
    assertTrue(connection.usingProxy());
    assertEquals("far.test", server.takeRequest().header("Host"));
  }

  @ParameterizedTest
  @EnumSource
  void theDefaultSelectorIsAsked(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok("for " + request.target()));
    AtomicReference<URI> asked = new AtomicReference<>();
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(new ProxySelector() {
      @Override
      public List<Proxy> select(URI uri) {
        asked.set(uri);
        return uri.getHost().equals("far.test") ? List.of(proxy(server.port())) : List.of();
      }

      @Override
      public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
    });
    try {
      assertEquals("for http://far.test/a", Stack.read(stack.open("http://far.test/a", null)));
      assertEquals(URI.create("http://far.test/a"), asked.get());
      HttpURLConnection direct = stack.open(server.url("/b"), Proxy.NO_PROXY);
      assertEquals("for /b", Stack.read(direct));
      assertFalse(direct.usingProxy());
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aProxyThatForwardsGetsThePasswordItAsksFor(Stack stack) throws Exception {
    server.handler(request -> request.header("Proxy-Authorization") == null
        ? MockResponse.of(407).header("Proxy-Authenticate", "Basic realm=\"p\"")
        : MockResponse.ok(request.header("Proxy-Authorization")));
    AtomicReference<String> asked = new AtomicReference<>();
    HttpURLConnection connection = stack.open("http://far.test/a", proxy(server.port()));
    connection.setAuthenticator(password(asked));
    assertEquals("Basic dTpw", Stack.read(connection));
    assertEquals("PROXY p basic", asked.get());
    HttpURLConnection without = stack.open("http://far.test/a", proxy(server.port()));
    assertEquals(407, without.getResponseCode());
    assertThrows(IOException.class, without::getInputStream);
  }

  private static HttpsURLConnection tunnelled(Stack stack, MockServer to, Proxy through)
      throws IOException {
    return (HttpsURLConnection) stack.open(to.url("/a"), through);
  }

  @ParameterizedTest
  @EnumSource
  void httpsGoesThroughATunnel(Stack stack) throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
    try (MockServer secure = MockServer.builder().tls(identity.server()).start();
        TunnelProxy proxy = new TunnelProxy(head -> "")) {
      secure.answer("/a", MockResponse.ok("hi"));
      HttpsURLConnection connection = tunnelled(stack, secure, proxy(proxy.port()));
      connection.setSSLSocketFactory(HeddleUrlConnections.socketFactory(identity.trusting()));
      assertEquals("hi", Stack.read(connection));
      assertTrue(connection.usingProxy());
      assertTrue(proxy.heads().getFirst().startsWith("CONNECT "));
    }
  }

  /** The JDK's property jdk.http.auth.tunneling.disabledSchemes holds Basic by default. */
  @ParameterizedTest
  @EnumSource
  void noPasswordIsSentInClearTextForATunnel(Stack stack) throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
    try (MockServer secure = MockServer.builder().tls(identity.server()).start();
        TunnelProxy proxy =
            new TunnelProxy(head -> head.contains("Proxy-Authorization") ? "" : REFUSAL)) {
      HttpsURLConnection connection = tunnelled(stack, secure, proxy(proxy.port()));
      connection.setSSLSocketFactory(HeddleUrlConnections.socketFactory(identity.trusting()));
      connection.setAuthenticator(password(new AtomicReference<>()));
      IOException thrown = assertThrows(IOException.class, connection::getInputStream);
      assertEquals(
          "Unable to tunnel through proxy. Proxy returns"
              + " \"HTTP/1.1 407 Proxy Authentication Required\"",
          thrown.getMessage());
      assertEquals(1, proxy.heads().size());
    }
  }

  @ParameterizedTest
  @CsvSource({"STOCK, 407", "HEDDLE, 407", "STOCK, 502", "HEDDLE, 502"})
  void onlyA407ForATunnelHasAHead(Stack stack, int status) throws Exception {
    try (TunnelProxy proxy = new TunnelProxy(
        head -> "HTTP/1.1 " + status + " Why\r\nX-Why: down\r\nContent-Length: 0\r\n\r\n")) {
      HttpURLConnection connection = stack.open("https://far.test/", proxy(proxy.port()));
      IOException thrown = assertThrows(IOException.class, connection::connect);
      assertEquals(
          "Unable to tunnel through proxy. Proxy returns \"HTTP/1.1 " + status + " Why\"",
          thrown.getMessage());
      if (status == 407) {
        assertEquals(407, connection.getResponseCode());
      } else {
        assertThrows(IOException.class, connection::getResponseCode);
      }
      assertEquals(status == 407 ? "down" : null, connection.getHeaderField("X-Why"));
      assertThrows(IOException.class, connection::getInputStream);
    }
  }

  // ---- SOCKS

  /** The port of a SOCKS proxy for one connection, which it answers itself. */
  private static ServerSocket socks(int reply) throws IOException {
    ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> {
      try (Socket client = listening.accept()) {
        InputStream in = client.getInputStream();
        OutputStream out = client.getOutputStream();
        in.readNBytes(in.readNBytes(2)[1]);
        out.write(new byte[] {5, 0}); // No password.
        in.readNBytes(in.readNBytes(5)[4] + 2);
        out.write(new byte[] {5, (byte) reply, 0, 1, 0, 0, 0, 0, 0, 0});
        if (reply == 0) {
          StringBuilder head = new StringBuilder();
          while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
          }
          String target = head.substring(0, head.indexOf("\r"));
          out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + target.length() + "\r\n\r\n" + target)
              .getBytes(StandardCharsets.ISO_8859_1));
        }
      } catch (IOException e) {
        // The test fails for it.
      }
    });
    return listening;
  }

  private static HttpURLConnection throughSocks(Stack stack, ServerSocket proxy)
      throws IOException {
    SocketAddress address = new InetSocketAddress("localhost", proxy.getLocalPort());
    return stack.open("http://far.test/a?b", new Proxy(Proxy.Type.SOCKS, address));
  }

  @ParameterizedTest
  @EnumSource
  void aSocksProxyLooksTheHostUpAndConnects(Stack stack) throws Exception {
    try (ServerSocket proxy = socks(0)) {
      HttpURLConnection connection = throughSocks(stack, proxy);
      assertEquals("GET /a?b HTTP/1.1", Stack.read(connection));
      assertFalse(connection.usingProxy());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatASocksProxyRefusesIsASocketException(Stack stack) throws Exception {
    for (int reply = 1; reply <= 8; reply++) {
      try (ServerSocket proxy = socks(reply)) {
        assertThrows(SocketException.class, throughSocks(stack, proxy)::getInputStream);
      }
    }
  }
}
