package heddle.adapters.urlconnection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.PasswordAuthentication;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What users of HttpURLConnection rely on, over the JDK's own connections and Heddle's. */
@Timeout(60)
class ConnectionsTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  @Test
  void urlsOpenHeddlesConnectionsWithoutALine() throws IOException {
    assertInstanceOf(
        HttpConnection.class, URI.create("http://localhost/").toURL().openConnection());
    assertInstanceOf(
        HttpsConnection.class, URI.create("https://localhost/").toURL().openConnection());
  }

  @ParameterizedTest
  @EnumSource
  void fieldsAreFoundByNumberAndName(Stack stack) throws IOException {
    server.answer("/a", MockResponse.ok("hi").header("X-A", "1").header("X-A", "2"));
    HttpURLConnection connection = stack.open(server.url("/a"));
    assertEquals("HTTP/1.1 200", connection.getHeaderField(0));
    assertEquals(null, connection.getHeaderFieldKey(0));
    assertEquals("2", connection.getHeaderField("x-a"));
    assertEquals(List.of("1", "2"), connection.getHeaderFields().get("X-A"));
    assertEquals(List.of("HTTP/1.1 200"), connection.getHeaderFields().get(null));
    assertEquals(2, connection.getContentLength());
    assertEquals(200, connection.getResponseCode());
    assertEquals(null, connection.getResponseMessage());
    assertEquals("hi", Stack.read(connection));
  }

  @ParameterizedTest
  @EnumSource
  void failuresAreThrownAndTheirContentIsInTheErrorStream(Stack stack) throws IOException {
    for (int code : new int[] {400, 404, 410, 500}) {
      server.answer("/a", MockResponse.of(code).body("why"));
      HttpURLConnection connection = stack.open(server.url("/a"));
      assertEquals(code, connection.getResponseCode());
      IOException thrown = assertThrows(IOException.class, connection::getInputStream);
      boolean gone = code == 404 || code == 410;
      assertEquals(
          gone ? "java.io.FileNotFoundException" : "java.io.IOException",
          thrown.getClass().getName());
      try (InputStream in = connection.getErrorStream()) {
        assertEquals("why", new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentIsSentBufferedAndStreamed(Stack stack) throws Exception {
    server.answer("/a", MockResponse.ok("done"));
    for (int mode = 0; mode < 3; mode++) {
      HttpURLConnection connection = stack.open(server.url("/a"));
      connection.setDoOutput(true);
      if (mode == 1) {
        connection.setFixedLengthStreamingMode(5);
      } else if (mode == 2) {
        connection.setChunkedStreamingMode(0);
      }
      Stack.write(connection, "hello");
      assertEquals("done", Stack.read(connection));
      RecordedRequest got = server.takeRequest();
      assertEquals("POST", got.method().toString());
      assertEquals("hello", got.text());
      assertEquals("application/x-www-form-urlencoded", got.header("Content-Type"));
      assertEquals(mode == 2 ? null : "5", got.header("Content-Length"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutAFailureThereIsNoErrorStream(Stack stack) throws IOException {
    server.answer("/a", MockResponse.ok("hi"));
    HttpURLConnection connection = stack.open(server.url("/a"));
    assertNull(connection.getErrorStream());
    assertEquals("hi", Stack.read(connection));
    assertNull(connection.getErrorStream());
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionIsReusedOnceItsContentWasRead(Stack stack) throws IOException {
    server.answer("/a", MockResponse.ok("hi"));
    for (int i = 0; i < 3; i++) {
      assertEquals("hi", Stack.read(stack.open(server.url("/a"))));
    }
    assertEquals(1, server.connections());
  }

  @ParameterizedTest
  @EnumSource
  void streamedContentCannotBeSentAgain(Stack stack) throws IOException {
    server.answer("/moved", MockResponse.of(302).header("Location", "/b"));
    server.answer("/secret", MockResponse.of(401).header("WWW-Authenticate", "Basic realm=\"r\""));
    for (String path : new String[] {"/moved", "/secret"}) {
      HttpURLConnection connection = stack.open(server.url(path));
      connection.setDoOutput(true);
      connection.setChunkedStreamingMode(0);
      Stack.write(connection, "hello");
      HttpRetryException thrown =
          assertThrows(HttpRetryException.class, connection::getInputStream);
      assertEquals(path.equals("/moved") ? 302 : 401, thrown.responseCode());
      assertEquals(path.equals("/moved") ? "/b" : null, thrown.getLocation());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theAnnouncedLengthIsKept(Stack stack) throws IOException {
    server.answer("/a", MockResponse.ok("done"));
    HttpURLConnection connection = stack.open(server.url("/a"));
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(2);
    OutputStream out = connection.getOutputStream();
    assertThrows(IOException.class, () -> out.write(new byte[3]));
    HttpURLConnection other = stack.open(server.url("/a"));
    other.setDoOutput(true);
    other.setFixedLengthStreamingMode(2);
    OutputStream few = other.getOutputStream();
    few.write(1);
    assertThrows(IOException.class, few::close);
  }

  @ParameterizedTest
  @EnumSource
  void redirectsAreFollowedAsAGet(Stack stack) throws Exception {
    server.answer("/a", MockResponse.of(302).header("Location", "/b"));
    server.answer("/b", MockResponse.ok("there"));
    HttpURLConnection connection = stack.open(server.url("/a"));
    connection.setDoOutput(true);
    Stack.write(connection, "x");
    assertEquals("there", Stack.read(connection));
    assertEquals("/b", connection.getURL().getPath());
    assertEquals("POST", server.takeRequest().method().toString());
    assertEquals("GET", server.takeRequest().method().toString());
  }

  @ParameterizedTest
  @EnumSource
  void redirectsAreReturnedIfSwitchedOffOrToAnotherProtocol(Stack stack) throws IOException {
    server.answer("/a", MockResponse.of(302).header("Location", "/b"));
    HttpURLConnection connection = stack.open(server.url("/a"));
    connection.setInstanceFollowRedirects(false);
    assertEquals(302, connection.getResponseCode());
    server.answer("/a", MockResponse.of(302).header("Location", "https://localhost:1/b"));
    assertEquals(302, stack.open(server.url("/a")).getResponseCode());
  }

  @ParameterizedTest
  @EnumSource
  void restrictedFieldsAreDroppedAndDefaultsAdded(Stack stack) throws Exception {
    server.answer("/a", MockResponse.ok("hi"));
    HttpURLConnection connection = stack.open(server.url("/a"));
    connection.setRequestProperty("Origin", "http://x");
    connection.setRequestProperty("Content-Length", "9");
    connection.addRequestProperty("X-A", "1");
    connection.addRequestProperty("X-A", "2");
    connection.setUseCaches(false);
    connection.setIfModifiedSince(784_111_777_000L);
    assertEquals("hi", Stack.read(connection));
    RecordedRequest got = server.takeRequest();
    assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", got.header("If-Modified-Since"));
    assertEquals(null, got.header("Origin"));
    assertEquals(null, got.header("Content-Length"));
    assertEquals(
        List.of("X-A: 1", "X-A: 2"),
        got.fields().stream().filter(each -> each.startsWith("X-A:")).toList());
    assertEquals("no-cache", got.header("Cache-Control"));
    assertEquals("Java/" + System.getProperty("java.version"), got.header("User-Agent"));
  }

  @ParameterizedTest
  @EnumSource
  void credentialsOfTheAuthenticatorAnswerAChallenge(Stack stack) throws Exception {
    server.handler(request -> request.header("Authorization") != null
        ? MockResponse.ok("in")
        : MockResponse.of(401).header("WWW-Authenticate", "Basic realm=\"r\""));
    HttpURLConnection connection = stack.open(server.url("/a"));
    connection.setAuthenticator(new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication("u", "p".toCharArray());
      }
    });
    assertEquals("in", Stack.read(connection));
  }

  // ---- time and ending

  private static ScriptedPeer silent(CountDownLatch asked) throws IOException {
    return ScriptedPeer.each(TcpNetwork.shared(), connection -> {
      connection.expectHead();
      asked.countDown();
      while (connection.hasMore()) {
        connection.expectHead();
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void aSilentServerIsATimeout(Stack stack) throws Exception {
    try (ScriptedPeer peer = silent(new CountDownLatch(1))) {
      HttpURLConnection connection = stack.open(peer.url("/"));
      connection.setReadTimeout(50);
      SocketTimeoutException thrown =
          assertThrows(SocketTimeoutException.class, connection::getInputStream);
      assertEquals("Read timed out", thrown.getMessage());
      if (stack == Stack.HEDDLE) {
        assertTrue(thrown.getCause().getMessage().contains("50 ms; raise setReadTimeout"));
      }
      connection.disconnect();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatAcceptsNoConnectionIsATimeout(Stack stack) throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      try {
        while (true) {
          waiting.add(new Socket());
          waiting.getLast().connect(full.getLocalSocketAddress(), 100);
        }
      } catch (SocketTimeoutException e) {
        // The system accepts no more for it.
      }
      for (boolean connects : new boolean[] {false, true}) {
        HttpURLConnection connection = stack.open("http://127.0.0.1:" + full.getLocalPort());
        connection.setConnectTimeout(50);
        SocketTimeoutException thrown = assertThrows(
            SocketTimeoutException.class,
            connects ? connection::connect : connection::getInputStream);
        assertEquals("Connect timed out", thrown.getMessage());
        if (stack == Stack.HEDDLE) {
          assertTrue(thrown.getCause().getMessage().contains("; raise setConnectTimeout"));
        }
      }
    } finally {
      for (Socket each : waiting) {
        each.close();
      }
    }
  }

  @Test
  void disconnectEndsWaiting() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (ScriptedPeer peer = silent(asked)) {
      HttpURLConnection connection = Stack.HEDDLE.open(peer.url("/"));
      CompletableFuture<IOException> thrown = new CompletableFuture<>();
      Thread.startVirtualThread(
          () -> thrown.complete(assertThrows(IOException.class, connection::getInputStream)));
      asked.await();
      connection.disconnect();
      assertInstanceOf(SocketException.class, thrown.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectReportsARefusedConnection(Stack stack) throws IOException {
    int port = server.port();
    server.close();
    HttpURLConnection connection = stack.open("http://localhost:" + port + "/");
    assertThrows(ConnectException.class, connection::connect);
  }

  // ---- TLS

  @Test
  void aForeignSocketFactoryIsRefusedByName() throws Exception {
    HttpsConnection connection =
        new HttpsConnection(URI.create("https://localhost/").toURL(), null);
    SSLContext other = SSLContext.getInstance("TLS");
    other.init(null, null, null);
    SSLSocketFactory unknown = other.getSocketFactory();
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> connection.setSSLSocketFactory(unknown));
    assertEquals(true, thrown.getMessage().startsWith("setSSLSocketFactory: "));
    connection.setSSLSocketFactory(HeddleUrlConnections.socketFactory(SSLContext.getDefault()));
  }
}
