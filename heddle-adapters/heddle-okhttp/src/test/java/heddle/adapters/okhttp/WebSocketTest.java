package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import okio.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Web sockets of OkHttp. */
@Timeout(60)
class WebSocketTest {
  private static final Pattern KEY = Pattern.compile("Sec-WebSocket-Key: (\\S+)");

  /** A Close frame of a server: 1000, without a reason. */
  private static final byte[] CLOSE = {(byte) 0x88, 2, 0x03, (byte) 0xE8};

  @AutoClose
  private final MockWebServer server = PromptServer.create();

  /** What a socket's listener gets, in order. */
  private static class Heard extends WebSocketListener {
    private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private volatile @Nullable Response response;

    Object next() throws InterruptedException {
      return events.take();
    }

    @Override
    public void onOpen(WebSocket socket, Response opening) {
      events.add("open " + opening.code());
    }

    @Override
    public void onMessage(WebSocket socket, String text) {
      events.add(text);
    }

    @Override
    public void onMessage(WebSocket socket, ByteString bytes) {
      events.add(bytes);
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      events.add("closing " + code + " " + reason);
    }

    @Override
    public void onClosed(WebSocket socket, int code, String reason) {
      events.add("closed " + code + " " + reason);
    }

    @Override
    public void onFailure(WebSocket socket, Throwable e, @Nullable Response answer) {
      response = answer;
      failure.complete(e);
      events.add("failure " + e.getClass().getSimpleName());
    }
  }

  /** Sends back each message, and closes when its client does. */
  private static class Echo extends WebSocketListener {
    @Override
    public void onMessage(WebSocket socket, String text) {
      socket.send(text);
    }

    @Override
    public void onMessage(WebSocket socket, ByteString bytes) {
      socket.send(bytes);
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      socket.close(code, reason);
    }
  }

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private void upgradeTo(WebSocketListener listener) {
    server.enqueue(new MockResponse.Builder().webSocketUpgrade(listener).build());
  }

  private static Request request(HttpUrl url) {
    return new Request.Builder().url(url).build();
  }

  private WebSocket open(Stack.Running running, Heard heard) {
    return running.client().newWebSocket(request(server.url("/")), heard);
  }

  /** Accepts a handshake, whose head is returned. */
  private static String acceptUpgrade(RawConnection c) throws IOException {
    String head = c.expectHead();
    Matcher key = KEY.matcher(head);
    assertTrue(key.find(), head);
    String accept = ByteString.encodeUtf8(key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
        .sha1()
        .base64();
    c.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: " + accept + "\r\n\r\n");
    return head;
  }

  private static ScriptedPeer peer(ScriptedPeer.Script script) throws IOException {
    return ScriptedPeer.each(TcpNetwork.shared(), script);
  }

  /** A peer that accepts the handshake. */
  private static ScriptedPeer socket(ScriptedPeer.Script then) throws IOException {
    return peer(c -> {
      var ignored = acceptUpgrade(c);
      then.run(c);
    });
  }

  private static void assertOpened(Heard heard) throws InterruptedException {
    assertEquals("open 101", heard.next());
  }

  // ---- messages

  @ParameterizedTest
  @EnumSource
  void messagesGoBothWays(Stack stack) throws Exception {
    upgradeTo(new Echo());
    Heard heard = new Heard();
    try (Stack.Running running = stack.start()) {
      WebSocket socket = open(running, heard);
      assertTrue(socket.send("hello"));
      assertOpened(heard);
      assertEquals("hello", heard.next());
      String compressed = "a".repeat(100_000);
      socket.send(compressed);
      assertEquals(compressed, heard.next());
      ByteString bytes = ByteString.of((byte) 0, (byte) 1, (byte) -1);
      socket.send(bytes);
      assertEquals(bytes, heard.next());
      socket.close(1000, "bye");
      assertEquals("closing 1000 bye", heard.next());
      assertEquals("closed 1000 bye", heard.next());
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeMessagesGoBothWays(Stack stack) throws Exception {
    upgradeTo(new Echo());
    byte[] random = new byte[5_000_000];
    new Random(1).nextBytes(random);
    ByteString large = ByteString.of(random);
    Heard heard = new Heard();
    try (Stack.Running running = stack.start()) {
      WebSocket socket = open(running, heard);
      assertOpened(heard);
      for (int i = 0; i < 3; i++) {
        socket.send(large);
      }
      for (int i = 0; i < 3; i++) {
        assertEquals(large, heard.next());
      }
      socket.close(1000, null);
      assertEquals("closing 1000 ", heard.next());
      assertEquals("closed 1000 ", heard.next());
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyOkHttpsOwnSocketsAreInItsPool(Stack stack) throws Exception {
    upgradeTo(new Echo());
    Heard heard = new Heard();
    try (Stack.Running running = stack.start()) {
      WebSocket socket = open(running, heard);
      assertOpened(heard);
      int count = running.client().connectionPool().connectionCount();
      assertEquals(stack == Stack.STOCK ? 1 : 0, count);
      socket.cancel();
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyApplicationInterceptorsSeeTheHandshake(Stack stack) throws Exception {
    upgradeTo(new Echo());
    List<String> passed = new CopyOnWriteArrayList<>();
    OkHttpClient.Builder client = new OkHttpClient.Builder()
        .addInterceptor(chain -> {
          passed.add("application " + chain.request().header("Upgrade"));
          return chain.proceed(chain.request());
        })
        .addNetworkInterceptor(chain -> {
          passed.add("network");
          return chain.proceed(chain.request());
        });
    Heard heard = new Heard();
    try (Stack.Running running = stack.over(client)) {
      WebSocket socket = open(running, heard);
      assertOpened(heard);
      assertEquals(List.of("application websocket"), passed);
      socket.cancel();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void socketUsesTls(Stack stack) throws Exception {
    HeldCertificate held =
        new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build();
    HandshakeCertificates certificates = new HandshakeCertificates.Builder()
        .heldCertificate(held)
        .addTrustedCertificate(held.certificate())
        .build();
    try (MockWebServer secure = PromptServer.create()) {
      secure.useHttps(certificates.sslSocketFactory());
      secure.start();
      secure.enqueue(new MockResponse.Builder().webSocketUpgrade(new Echo()).build());
      OkHttpClient.Builder client = new OkHttpClient.Builder()
          .sslSocketFactory(certificates.sslSocketFactory(), certificates.trustManager());
      HttpUrl url = secure.url("/").newBuilder().host("localhost").build();
      Heard heard = new Heard();
      try (Stack.Running running = stack.over(client)) {
        WebSocket socket = running
            .client()
            .newWebSocket(
                new Request.Builder().url("wss" + url.toString().substring(5)).build(), heard);
        assertOpened(heard);
        socket.send("secret");
        assertEquals("secret", heard.next());
        socket.close(1000, null);
        assertEquals("closing 1000 ", heard.next());
        assertEquals("closed 1000 ", heard.next());
        assertNotNull(secure.takeRequest().getHandshake());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void socketUsesTheTunnelOfAProxy(Stack stack) throws Exception {
    HeldCertificate held =
        new HeldCertificate.Builder().addSubjectAlternativeName("far.invalid").build();
    HandshakeCertificates certificates = new HandshakeCertificates.Builder()
        .heldCertificate(held)
        .addTrustedCertificate(held.certificate())
        .build();
    try (MockWebServer proxy = PromptServer.create()) {
      proxy.useHttps(certificates.sslSocketFactory());
      proxy.start();
      proxy.enqueue(new MockResponse.Builder().inTunnel().build());
      proxy.enqueue(new MockResponse.Builder().webSocketUpgrade(new Echo()).build());
      OkHttpClient.Builder client = new OkHttpClient.Builder()
          .proxy(proxy.getProxyAddress())
          .sslSocketFactory(certificates.sslSocketFactory(), certificates.trustManager());
      Heard heard = new Heard();
      try (Stack.Running running = stack.over(client)) {
        WebSocket socket =
            running.client().newWebSocket(request(HttpUrl.get("https://far.invalid/chat")), heard);
        assertOpened(heard);
        socket.send("hello");
        assertEquals("hello", heard.next());
        socket.cancel();
        assertEquals("CONNECT far.invalid:443 HTTP/1.1", proxy.takeRequest().getRequestLine());
        assertEquals("GET /chat HTTP/1.1", proxy.takeRequest().getRequestLine());
      }
    }
  }

  /** As RFC 6455 section 4.1 asks for; OkHttp itself asks the proxy to switch. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void socketInCleartextGetsATunnelToo(Stack stack) throws Exception {
    CompletableFuture<String> connect = new CompletableFuture<>();
    CompletableFuture<String> handshake = new CompletableFuture<>();
    try (ScriptedPeer proxy = peer(c -> {
          connect.complete(c.expectHead());
          c.send("HTTP/1.1 200 OK\r\n\r\n");
          handshake.complete(acceptUpgrade(c));
          c.drain();
        });
        Stack.Running running = stack.over(new OkHttpClient.Builder()
            .proxy(new Proxy(Proxy.Type.HTTP, proxy.address()))
            .proxyAuthenticator((route, response) -> response
                .request()
                .newBuilder()
                .header("Proxy-Authorization", "Basic secret")
                .build()))) {
      Heard heard = new Heard();
      WebSocket socket =
          running.client().newWebSocket(request(HttpUrl.get("http://far.invalid/chat")), heard);
      assertOpened(heard);
      String asked = connect.get();
      assertTrue(asked.startsWith("CONNECT far.invalid:80 HTTP/1.1\r\n"), asked);
      assertTrue(asked.contains("Proxy-Authorization: Basic secret\r\n"), asked);
      assertTrue(handshake.get().startsWith("GET /chat HTTP/1.1\r\n"), handshake::toString);
      assertFalse(handshake.get().contains("Proxy-Authorization"), handshake::toString);
      socket.cancel();
    }
  }

  // ---- the end

  @ParameterizedTest
  @EnumSource
  void serverClosesWithItsReason(Stack stack) throws Exception {
    upgradeTo(new WebSocketListener() {
      @Override
      public void onOpen(WebSocket socket, Response response) {
        socket.close(4000, "enough");
      }
    });
    Heard heard = new Heard();
    try (Stack.Running running = stack.start()) {
      WebSocket socket = open(running, heard);
      assertOpened(heard);
      assertEquals("closing 4000 enough", heard.next());
      socket.close(1000, null);
      assertEquals("closed 4000 enough", heard.next());
    }
  }

  @ParameterizedTest
  @EnumSource
  void serverMayEndTheConnectionRightAfterItsCloseFrame(Stack stack) throws Exception {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    try (ScriptedPeer peer = socket(c -> {
          c.send(CLOSE);
          c.shutdownOutput();
          answer.complete(c.expectBytes(8)); // a masked Close frame with a code
          c.expectEnd();
        });
        Stack.Running running = stack.start()) {
      Heard heard = new Heard();
      WebSocket socket = running.client().newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      assertOpened(heard);
      assertEquals("closing 1000 ", heard.next());
      socket.close(1000, null);
      assertEquals("closed 1000 ", heard.next());
      assertEquals(0x88, answer.get()[0] & 0xFF);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lostConnectionFailsTheSocket(Stack stack) throws Exception {
    try (ScriptedPeer peer = socket(RawConnection::close);
        Stack.Running running = stack.start()) {
      Heard heard = new Heard();
      var ignored = running.client().newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      assertOpened(heard);
      assertInstanceOf(IOException.class, heard.failure.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancellingAnIdleSocketEndsItsConnection(Stack stack) throws Exception {
    CompletableFuture<String> ended = new CompletableFuture<>();
    try (ScriptedPeer peer = socket(c -> {
          c.expectEnd();
          ended.complete("ended");
        });
        Stack.Running running = stack.start()) {
      Heard heard = new Heard();
      WebSocket socket = running.client().newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      assertOpened(heard);
      socket.cancel();
      assertInstanceOf(SocketException.class, heard.failure.get());
      assertEquals("ended", ended.get());
      assertFalse(socket.send("too late"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancellingASocketThatReceivesEndsIt(Stack stack) throws Exception {
    upgradeTo(new WebSocketListener() {
      @Override
      public void onOpen(WebSocket socket, Response response) {
        socket.send("x".repeat(10_000_000));
        socket.send("rest");
      }
    });
    Heard heard = new Heard() {
      @Override
      public void onOpen(WebSocket socket, Response opening) {
        super.onOpen(socket, opening);
        socket.cancel(); // while the message is being received
      }
    };
    try (Stack.Running running = stack.start()) {
      open(running, heard);
      assertOpened(heard);
      assertInstanceOf(IOException.class, heard.failure.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancellingAHandshakeEndsIt(Stack stack) throws Exception {
    CompletableFuture<String> asked = new CompletableFuture<>();
    try (ScriptedPeer peer = peer(c -> {
          asked.complete(c.expectHead());
          c.expectEnd();
        });
        Stack.Running running = stack.start()) {
      Heard heard = new Heard();
      WebSocket socket = running.client().newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      asked.get();
      socket.cancel();
      assertInstanceOf(IOException.class, heard.failure.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusedHandshakeFailsWithItsResponse(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder().code(404).body("not here").build());
    server.enqueue(new MockResponse.Builder().body("another").build());
    Heard heard = new Heard() {
      @Override
      public void onFailure(WebSocket socket, Throwable e, @Nullable Response answer) {
        try {
          super.onMessage(socket, answer == null ? "none" : answer.body().string());
        } catch (IOException unread) {
          super.onMessage(socket, unread.toString());
        }
        super.onFailure(socket, e, answer);
      }
    };
    try (Stack.Running running = stack.start()) {
      open(running, heard);
      assertEquals("not here", heard.next());
      assertInstanceOf(ProtocolException.class, heard.failure.get());
      Response response = heard.response;
      assertNotNull(response);
      assertEquals(404, response.code());
      try (Response another = running.get(server.url("/"))) {
        assertEquals("another", another.body().string());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void wrongAcceptFieldFailsTheHandshakeAndEndsTheConnection(Stack stack) throws Exception {
    CompletableFuture<String> ended = new CompletableFuture<>();
    try (ScriptedPeer peer = peer(c -> {
          c.expectHead();
          c.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
              + "Connection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n");
          c.expectEnd();
          ended.complete("ended");
        });
        Stack.Running running = stack.start()) {
      Heard heard = new Heard();
      var ignored = running.client().newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      assertInstanceOf(ProtocolException.class, heard.failure.get());
      assertEquals("ended", ended.get());
    }
  }

  // ---- time

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void idleSocketOutlivesReadAndCallTimeouts(Stack stack) throws Exception {
    Duration limit = Duration.ofSeconds(1);
    Executor later = CompletableFuture.delayedExecutor(2 * limit.toMillis(), TimeUnit.MILLISECONDS);
    upgradeTo(new Echo() {
      @Override
      public void onMessage(WebSocket socket, String text) {
        later.execute(() -> super.onMessage(socket, text));
      }
    });
    Heard heard = new Heard();
    OkHttpClient.Builder client = new OkHttpClient.Builder().readTimeout(limit).callTimeout(limit);
    try (Stack.Running running = stack.over(client)) {
      WebSocket socket = open(running, heard);
      assertOpened(heard);
      socket.send("wait");
      assertEquals("wait", heard.next());
      socket.cancel();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void frameThatBreaksOffFailsAtTheReadTimeout(Stack stack) throws Exception {
    try (ScriptedPeer peer = socket(c -> {
          c.send(new byte[] {(byte) 0x81, 5, 'h'});
          c.drain();
        });
        Stack.Running running =
            stack.over(new OkHttpClient.Builder().readTimeout(Duration.ofSeconds(1)))) {
      Heard heard = new Heard();
      var ignored = running.client().newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      assertOpened(heard);
      assertInstanceOf(SocketTimeoutException.class, heard.failure.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void handshakeHasTheCallTimeout(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(c -> {
          c.expectHead();
          c.expectEnd();
        });
        Stack.Running running =
            stack.over(new OkHttpClient.Builder().callTimeout(Duration.ofMillis(200)))) {
      Heard heard = new Heard();
      var ignored = running.client().newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      assertEquals("timeout", heard.failure.get().getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource
  void pingsThatAreNotAnsweredFailTheSocket(Stack stack) throws Exception {
    try (ScriptedPeer peer = socket(RawConnection::drain);
        Stack.Running running = stack.start()) {
      OkHttpClient pinging =
          running.client().newBuilder().pingInterval(Duration.ofMillis(50)).build();
      Heard heard = new Heard();
      var ignored = pinging.newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      assertOpened(heard);
      Throwable failure = heard.failure.get();
      assertInstanceOf(SocketTimeoutException.class, failure);
      assertTrue(failure.getMessage().contains("didn't receive pong"), failure::toString);
    }
  }

  @ParameterizedTest
  @EnumSource
  void pingsThatAreAnsweredKeepTheSocket(Stack stack) throws Exception {
    CompletableFuture<String> pinged = new CompletableFuture<>();
    try (ScriptedPeer peer = socket(c -> {
          for (int i = 0; i < 3; i++) {
            assertEquals(0x89, c.expectBytes(6)[0] & 0xFF);
            c.send(new byte[] {(byte) 0x8A, 0});
          }
          pinged.complete("pinged");
          c.drain();
        });
        Stack.Running running = stack.start()) {
      OkHttpClient pinging =
          running.client().newBuilder().pingInterval(Duration.ofMillis(500)).build();
      Heard heard = new Heard();
      WebSocket socket = pinging.newWebSocket(request(HttpUrl.get(peer.url("/"))), heard);
      assertOpened(heard);
      assertEquals("pinged", pinged.get());
      assertFalse(heard.failure.isDone());
      socket.cancel();
    }
  }

  // ---- settings

  @Test
  void shortPingIntervalNeedsAClientOfHttp11() {
    OkHttpClient.Builder client = new OkHttpClient.Builder().pingInterval(Duration.ofSeconds(1));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> HeddleCallFactory.of(client.build()));
    assertTrue(refused.getMessage().contains("derived from this one"), refused::toString);
    HeddleCallFactory.of(client.protocols(List.of(Protocol.HTTP_1_1)).build()).close();
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void clientOfHttp2WithPriorKnowledgeOpensSocketsOverHttp11(Stack stack) throws Exception {
    upgradeTo(new Echo());
    Heard heard = new Heard();
    OkHttpClient.Builder client =
        new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
    try (Stack.Running running = stack.over(client)) {
      WebSocket socket = open(running, heard);
      assertOpened(heard);
      socket.send("hello");
      assertEquals("hello", heard.next());
      socket.cancel();
    }
  }
}
