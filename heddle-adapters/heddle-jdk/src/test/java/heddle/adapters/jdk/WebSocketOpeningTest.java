package heddle.adapters.jdk;

import static heddle.adapters.jdk.WebSocketWorld.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.jdk.WebSocketPeer.Connection;
import heddle.testkit.mock.TestIdentity;
import java.io.IOException;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.CookieManager;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How WebSockets are opened, or refused. */
@Timeout(60)
class WebSocketOpeningTest {
  private static final String TUNNELING = "jdk.http.auth.tunneling.disabledSchemes";

  @AutoClose
  private final WebSocketWorld world = new WebSocketWorld();

  private final WebSocketPeer peer = world.peer;

  private static HttpClient.Builder direct(Stack stack) {
    return stack.builder().proxy(HttpClient.Builder.NO_PROXY);
  }

  private WebSocket.Builder builder(HttpClient.Builder options) {
    return world.uses(options.build()).newWebSocketBuilder();
  }

  private WebSocket.Builder builder(Stack stack) {
    return builder(direct(stack));
  }

  private static void echoes(WebSocket socket, Connection server, Hearing hearing)
      throws Exception {
    assertEquals("open", hearing.next());
    socket.sendText("hello", true).get();
    assertEquals("1 hello", server.read().toString());
    server.frame(0x81, "hello");
    assertEquals("text hello", hearing.next());
  }

  // ---- what is asked

  @ParameterizedTest
  @EnumSource
  void theRequestIsThatOfTheJdk(Stack stack) throws Exception {
    CompletableFuture<WebSocket> opening = builder(stack)
        .header("Origin", "http://example.com")
        .header("X-Twice", "1")
        .header("X-Twice", "2")
        .subprotocols("chat.v2", "chat.v1")
        .buildAsync(peer.uri(), new Hearing());
    Connection server = peer.accept();
    String head = server.open("Sec-WebSocket-Protocol: chat.v1\r\n");
    assertTrue(head.startsWith("GET /chat?room=1 HTTP/1.1\r\n"), head);
    List<String> fields = Stream.of(head.split("\r\n", -1))
        .skip(1)
        .filter(line -> !line.isEmpty() && !line.startsWith("User-Agent"))
        .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)
            + line.substring(line.indexOf(':')))
        .map(line -> line.startsWith("sec-websocket-key") ? "sec-websocket-key" : line)
        .sorted()
        .toList();
    assertEquals(
        List.of(
            "connection: Upgrade",
            "host: 127.0.0.1:" + peer.port(),
            "origin: http://example.com",
            "sec-websocket-key",
            "sec-websocket-protocol: chat.v2, chat.v1",
            "sec-websocket-version: 13",
            "upgrade: websocket",
            "x-twice: 1",
            "x-twice: 2"),
        fields);
    assertEquals("chat.v1", opening.get().getSubprotocol());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsIllegalIsRefused(Stack stack) throws Exception {
    WebSocket.Builder usual = builder(stack);
    Hearing hearing = new Hearing();
    for (String uri : new String[] {
      "http://127.0.0.1/", "ws:/path", "ws://127.0.0.1/#fragment", "//127.0.0.1/", "ws:opaque"
    }) {
      failure(IllegalArgumentException.class, usual.buildAsync(URI.create(uri), hearing));
    }
    for (String name : new String[] {
      "Sec-WebSocket-Accept",
      "sec-websocket-extensions",
      "Sec-WebSocket-Key",
      "Sec-WebSocket-Protocol",
      "Sec-WebSocket-Version",
      "Connection",
      "Content-Length",
      "Expect",
      "Host",
      "Upgrade",
      "a b",
      ""
    }) {
      failure(
          IllegalArgumentException.class,
          world.client().newWebSocketBuilder().header(name, "x").buildAsync(peer.uri(), hearing));
    }
    failure(
        IllegalArgumentException.class,
        world.client().newWebSocketBuilder().header("a", "\r\n").buildAsync(peer.uri(), hearing));
    for (String[] names : new String[][] {{""}, {" "}, {"a b"}, {"a,b"}, {"a", "a"}}) {
      failure(
          IllegalArgumentException.class,
          world
              .client()
              .newWebSocketBuilder()
              .subprotocols(
                  names[0], List.of(names).subList(1, names.length).toArray(String[]::new))
              .buildAsync(peer.uri(), hearing));
    }
    for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
      failure(
          IllegalArgumentException.class,
          world
              .client()
              .newWebSocketBuilder()
              .connectTimeout(timeout)
              .buildAsync(peer.uri(), hearing));
    }
  }

  @ParameterizedTest
  @EnumSource
  void nullIsRefusedAtOnce(Stack stack) {
    WebSocket.Builder usual = builder(stack);
    assertThrows(NullPointerException.class, () -> usual.header(null, ""));
    assertThrows(NullPointerException.class, () -> usual.header("", null));
    assertThrows(NullPointerException.class, () -> usual.connectTimeout(null));
    assertThrows(NullPointerException.class, () -> usual.subprotocols(null));
    assertThrows(NullPointerException.class, () -> usual.subprotocols("a", (String[]) null));
    assertThrows(NullPointerException.class, () -> usual.subprotocols("a", (String) null));
    assertThrows(NullPointerException.class, () -> usual.buildAsync(null, new Hearing()));
    assertThrows(NullPointerException.class, () -> usual.buildAsync(peer.uri(), null));
  }

  // ---- servers that refuse

  @ParameterizedTest
  @EnumSource
  void aRefusalIsTheResponse(Stack stack) throws Exception {
    CompletableFuture<WebSocket> opening = builder(stack).buildAsync(peer.uri(), new Hearing());
    Connection server = peer.accept();
    server.head();
    server.send("HTTP/1.1 403 No\r\nContent-Length: 4\r\nX-Reason: full\r\n\r\nfull");
    WebSocketHandshakeException failed = failure(WebSocketHandshakeException.class, opening);
    assertEquals(403, failed.getResponse().statusCode());
    assertEquals("full", failed.getResponse().body());
    assertEquals("full", failed.getResponse().headers().firstValue("X-Reason").orElse(""));
    assertEquals(peer.port(), failed.getResponse().uri().getPort());
  }

  @ParameterizedTest
  @EnumSource
  void aHandshakeThatIsNotAsAskedIsRefused(Stack stack) throws Exception {
    for (String[] wrong : new String[][] {
      {"Sec-WebSocket-Accept: ", "Sec-WebSocket-Accept: x"},
      {"Sec-WebSocket-Accept", "X-Accept"},
      {"Upgrade: websocket", "Upgrade: other"},
      {"Connection: Upgrade", "Connection: X"},
      {"\r\n\r\n", "\r\nSec-WebSocket-Protocol: other\r\n\r\n"},
      {"\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"},
    }) {
      CompletableFuture<WebSocket> opening =
          builder(stack).subprotocols("mine").buildAsync(peer.uri(), new Hearing());
      Connection server = peer.accept();
      String accept = Connection.accept(server.head());
      server.send(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
              + "Connection: Upgrade\r\nSec-WebSocket-Accept: " + accept + "\r\n\r\n")
          .replace(wrong[0], wrong[1]));
      if (wrong[1].equals("Connection: X") && stack == Stack.HEDDLE) {
        failure(IOException.class, opening); // The message breaks RFC 9110 section 7.8.
      } else {
        WebSocketHandshakeException failed = failure(WebSocketHandshakeException.class, opening);
        assertEquals(101, failed.getResponse().statusCode());
      }
      server.expectEnd();
      world.client().shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatDoesNotAnswerInTimeIsATimeout(Stack stack) throws Exception {
    CompletableFuture<WebSocket> opening =
        builder(stack).connectTimeout(Duration.ofMillis(200)).buildAsync(peer.uri(), new Hearing());
    Connection server = peer.accept();
    server.head();
    failure(HttpTimeoutException.class, opening);
    server.expectEnd();
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsNotThereIsAConnectException(Stack stack) throws Exception {
    URI uri = peer.uri();
    peer.close();
    failure(ConnectException.class, builder(stack).buildAsync(uri, new Hearing()));
  }

  @ParameterizedTest
  @EnumSource
  void aLostConnectionIsAnIoException(Stack stack) throws Exception {
    CompletableFuture<WebSocket> opening = builder(stack).buildAsync(peer.uri(), new Hearing());
    for (int i = 0; i < 2; i++) { // A GET without a response is sent twice.
      Connection server = peer.accept();
      server.head();
      server.close();
    }
    failure(IOException.class, opening);
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatIsShutDownOpensNone(Stack stack) throws Exception {
    WebSocket.Builder before = builder(stack);
    world.client().shutdown();
    for (WebSocket.Builder each :
        new WebSocket.Builder[] {before, world.client().newWebSocketBuilder()}) {
      failure(IOException.class, each.buildAsync(peer.uri(), new Hearing()));
    }
    world.client().close();
  }

  @ParameterizedTest
  @EnumSource
  void cancellingEndsTheHandshake(Stack stack) throws Exception {
    CompletableFuture<WebSocket> opening = builder(stack).buildAsync(peer.uri(), new Hearing());
    Connection server = peer.accept();
    server.head();
    assertTrue(opening.cancel(true));
    server.expectEnd();
  }

  // ---- the settings of the client

  @ParameterizedTest
  @EnumSource
  void tlsIsThatOfTheClient(Stack stack) throws Exception {
    TestIdentity identity = TestIdentity.forNames("127.0.0.1");
    try (WebSocketPeer secure = WebSocketPeer.withTls(identity)) {
      Hearing hearing = new Hearing();
      CompletableFuture<WebSocket> opening =
          builder(direct(stack).sslContext(identity.trusting())).buildAsync(secure.uri(), hearing);
      Connection server = secure.open();
      echoes(opening.get(), server, hearing);
      server.close(1000, "");
      assertEquals("close 1000 ", hearing.next());
      assertEquals("8 1000 ", server.read().toString());
      world.client().shutdownNow();
      CompletableFuture<WebSocket> distrusting =
          builder(stack).buildAsync(secure.uri(), new Hearing());
      assertThrows(IOException.class, () -> secure.accept().head());
      failure(SSLHandshakeException.class, distrusting);
    }
  }

  private static ProxySelector through(WebSocketPeer proxy) {
    return ProxySelector.of(InetSocketAddress.createUnresolved("127.0.0.1", proxy.port()));
  }

  private static Authenticator answering(String password) {
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication("user", password.toCharArray());
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void aProxyIsAskedForATunnel(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    CompletableFuture<WebSocket> opening = builder(stack.builder().proxy(through(peer)))
        .buildAsync(URI.create("ws://host.invalid/chat"), hearing);
    Connection proxy = peer.accept();
    assertTrue(proxy.head().startsWith("CONNECT host.invalid:80 HTTP/1.1\r\n"));
    proxy.send("HTTP/1.1 200 OK\r\n\r\n");
    String head = proxy.open("");
    assertTrue(head.startsWith("GET /chat HTTP/1.1\r\n"), head);
    echoes(opening.get(), proxy, hearing);
  }

  @ParameterizedTest
  @EnumSource
  void aProxyThatWantsAPasswordIsTheResponse(Stack stack) throws Exception {
    CompletableFuture<WebSocket> opening = builder(
            stack.builder().proxy(through(peer)).authenticator(answering("secret")))
        .buildAsync(URI.create("ws://host.invalid/chat"), new Hearing());
    Connection proxy = peer.accept();
    proxy.head();
    proxy.send("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"gate\"\r\n"
        + "Content-Length: 0\r\n\r\n");
    // By default the JDK disables Basic for tunnels.
    WebSocketHandshakeException failed = failure(WebSocketHandshakeException.class, opening);
    assertEquals(407, failed.getResponse().statusCode());
  }

  /** The JDK's own client reads the property once, so this is of Heddle alone. */
  @Test
  void aProxyIsShownAPassword() throws Exception {
    String before = System.getProperty(TUNNELING);
    System.setProperty(TUNNELING, "");
    try {
      Hearing hearing = new Hearing();
      CompletableFuture<WebSocket> opening = builder(
              Stack.HEDDLE.builder().proxy(through(peer)).authenticator(answering("secret")))
          .buildAsync(URI.create("ws://host.invalid/chat"), hearing);
      Connection first = peer.accept();
      assertFalse(first.head().contains("Proxy-Authorization"));
      first.send("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"gate\"\r\n"
          + "Connection: close\r\nContent-Length: 0\r\n\r\n");
      first.close();
      Connection second = peer.accept();
      String head = second.head();
      assertTrue(head.contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n"), head);
      second.send("HTTP/1.1 200 OK\r\n\r\n");
      second.open("");
      echoes(opening.get(), second, hearing);
    } finally {
      if (before == null) {
        System.clearProperty(TUNNELING);
      } else {
        System.setProperty(TUNNELING, before);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theServerIsShownAPassword(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    CompletableFuture<WebSocket> opening =
        builder(direct(stack).authenticator(answering("secret"))).buildAsync(peer.uri(), hearing);
    Connection first = peer.accept();
    first.head();
    first.send("HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"room\"\r\n"
        + "Connection: close\r\nContent-Length: 0\r\n\r\n");
    first.close();
    Connection second = peer.accept();
    String head = second.open("");
    assertTrue(head.contains("Authorization: Basic dXNlcjpzZWNyZXQ=\r\n"), head);
    echoes(opening.get(), second, hearing);
  }

  @ParameterizedTest
  @EnumSource
  void cookiesAreThoseOfTheClient(Stack stack) throws Exception {
    CookieManager cookies = new CookieManager();
    cookies.put(URI.create("http://127.0.0.1/"), Map.of("Set-Cookie", List.of("a=1; Path=/")));
    CompletableFuture<WebSocket> opening =
        builder(direct(stack).cookieHandler(cookies)).buildAsync(peer.uri(), new Hearing());
    Connection server = peer.accept();
    String head = server.open("Set-Cookie: b=2\r\n");
    assertTrue(head.contains("Cookie: a=1\r\n"), head);
    opening.get();
    assertEquals(2, cookies.getCookieStore().getCookies().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirectsAreFollowedIfTheClientDoes(int status) throws Exception {
    for (Stack stack : Stack.values()) {
      Hearing hearing = new Hearing();
      CompletableFuture<WebSocket> opening =
          builder(direct(stack).followRedirects(Redirect.NORMAL)).buildAsync(peer.uri(), hearing);
      Connection first = peer.accept();
      first.head();
      first.send("HTTP/1.1 " + status + " There\r\nLocation: /there\r\nConnection: close\r\n"
          + "Content-Length: 0\r\n\r\n");
      first.close();
      Connection second = peer.accept();
      String head = second.open("");
      assertTrue(head.startsWith("GET /there HTTP/1.1\r\n"), head);
      echoes(opening.get(), second, hearing);
      world.client().shutdownNow();
    }
  }
}
