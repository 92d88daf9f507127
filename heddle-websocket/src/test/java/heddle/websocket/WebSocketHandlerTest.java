package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ServerOverloadedException;
import heddle.server.HttpServer;
import heddle.testkit.RawConnection;
import heddle.testwatch.Conditions;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket.Listener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets of a server. */
@Timeout(60)
final class WebSocketHandlerTest {
  private static final WebSocketHandler ECHO =
      WebSocketHandler.of((socket, exchange) -> Server.echo(socket));

  /** The key of RFC 6455 section 1.2. */
  private static final String OPENING = "GET /chat HTTP/1.1\r\n"
      + "Host: localhost\r\n"
      + "Upgrade: websocket\r\n"
      + "Connection: keep-alive, Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      + "Sec-WebSocket-Version: 13\r\n";

  @AutoClose
  private final HttpClient client = HttpClient.create();

  @AutoClose
  private final TcpNetwork network = TcpNetwork.create();

  private static HttpServer serve(WebSocketHandler handler) throws IOException {
    return HttpServer.builder().exchangeHandler(handler).start();
  }

  private static String url(HttpServer server) {
    return "ws://localhost:" + server.port() + "/chat";
  }

  private RawConnection connect(HttpServer server) throws IOException {
    return RawConnection.connect(network, server.address());
  }

  private static String text(Message message) {
    return assertInstanceOf(Message.Text.class, message).text();
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static void expectClose(RawConnection c, int code) throws IOException {
    byte[] frame = c.expectBytes(2);
    assertEquals(0x88, frame[0] & 0xFF);
    assertEquals(code, CloseReason.of(c.expectBytes(frame[1])).code());
  }

  // ---- messages

  /** The request that opens a socket over a version of HTTP. */
  private static Request request(HttpServer server, HttpVersion version) throws IOException {
    return Request.get("http://localhost:" + server.port() + "/chat").toBuilder()
        .version(version)
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_1_1, OFF",
    "HTTP_1_1, EACH_MESSAGE",
    "HTTP_1_1, WITH_CONTEXT",
    "HTTP_2, OFF",
    "HTTP_2, EACH_MESSAGE",
    "HTTP_2, WITH_CONTEXT",
  })
  void messagesGoBothWays(HttpVersion version, Compression compression) throws Exception {
    Random random = new Random(1);
    WebSocketHandler handler = WebSocketHandler.builder()
        .compression(compression)
        .build((socket, exchange) -> Server.echo(socket));
    try (HttpServer server = serve(handler)) {
      try (WebSocket socket = WebSocket.builder(client, request(server, version))
          .compression(compression)
          .open()) {
        for (int length : new int[] {0, 1, 125, 126, 1000, 65_535, 65_536, 200_000}) {
          byte[] data = new byte[length];
          random.nextBytes(data);
          socket.send(data);
          assertEquals(new Message.Binary(data), socket.receive());
          String text = "\u00e4\u20ac\ud83d\ude00x".repeat(length / 10);
          socket.send(text);
          assertEquals(text, text(socket.receive()));
        }
        assertEquals(1, server.active());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void largeMessageCountsInTheMemoryBudgetUntilTheNextIsAskedFor(HttpVersion version)
      throws Exception {
    CompletableFuture<HttpServer> known = new CompletableFuture<>();
    WebSocketHandler handler = WebSocketHandler.of((socket, exchange) -> {
      HttpServer server = known.join();
      for (Message message : socket) {
        boolean counted = server.memoryHeld() >= 300_000;
        socket.send(text(message).length() + " " + counted);
      }
    });
    try (HttpServer server = serve(handler)) {
      known.complete(server);
      try (WebSocket socket =
          WebSocket.builder(client, request(server, version)).open()) {
        socket.send("x".repeat(300_000));
        assertEquals("300000 true", text(socket.receive()));
        socket.send("small");
        assertEquals("5 false", text(socket.receive()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void messageThatTheMemoryBudgetHasNoRoomForClosesItsSocket(HttpVersion version) throws Exception {
    WebSocketHandler handler = WebSocketHandler.builder()
        .compression(Compression.EACH_MESSAGE)
        .build((socket, exchange) -> Server.echo(socket));
    try (HttpServer server =
        HttpServer.builder().exchangeHandler(handler).memoryBudget(1 << 20).start()) {
      try (WebSocket greedy = WebSocket.builder(client, request(server, version))
          .compression(Compression.EACH_MESSAGE)
          .open()) {
        greedy.send(new byte[2 << 20]); // 2 KB when compressed
        assertNull(greedy.receive());
        assertEquals(CloseReason.TRY_AGAIN_LATER, greedy.closeReason().code());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void messageThatArrivesIsRefusedWhenThereIsNoRoomAndOthersAreServed(HttpVersion version)
      throws Exception {
    CompletableFuture<ServerOverloadedException> refusal = new CompletableFuture<>();
    WebSocketHandler handler = WebSocketHandler.of((socket, exchange) -> {
      try {
        for (Message message = socket.receive(); message != null; message = socket.receive()) {
          socket.send(text(message));
        }
      } catch (ServerOverloadedException e) {
        refusal.complete(e);
        throw e;
      }
    });
    try (HttpServer server =
        HttpServer.builder().exchangeHandler(handler).memoryBudget(1 << 20).start()) {
      try (WebSocket neighbour =
              WebSocket.builder(client, request(server, version)).open();
          WebSocket greedy = WebSocket.builder(client, request(server, version)).open()) {
        Thread sender = Thread.startVirtualThread(() -> {
          try {
            greedy.send("x".repeat(2 << 20));
          } catch (IOException e) {
            // The server closes the socket before it has all.
          }
        });
        String message = refusal.get().getMessage();
        assertTrue(message.contains("requests keep half"), message);
        sender.join();
        // Its memory is returned when its exchange ends, which the client cannot see.
        Conditions.await("there is room again", () -> server.memoryHeld() < 256 << 10);
        neighbour.send("x".repeat(100_000));
        assertEquals(100_000, text(neighbour.receive()).length());
      }
    }
  }

  @Test
  void theJdksClientIsServed() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    CompletableFuture<Integer> closed = new CompletableFuture<>();
    Listener listener = new Listener() {
      @Override
      public CompletionStage<?> onText(
          java.net.http.WebSocket socket, CharSequence data, boolean last) {
        heard.add(data.toString());
        return Listener.super.onText(socket, data, last);
      }

      @Override
      public CompletionStage<?> onPong(java.net.http.WebSocket socket, ByteBuffer data) {
        heard.add("pong " + UTF_8.decode(data));
        return Listener.super.onPong(socket, data);
      }

      @Override
      public CompletionStage<?> onClose(java.net.http.WebSocket socket, int code, String reason) {
        closed.complete(code);
        return Listener.super.onClose(socket, code, reason);
      }
    };
    WebSocketHandler handler = WebSocketHandler.builder()
        .subprotocols("superchat", "chat")
        .build((socket, exchange) -> Server.echo(socket));
    try (HttpServer server = serve(handler);
        java.net.http.HttpClient jdk = java.net.http.HttpClient.newHttpClient()) {
      java.net.http.WebSocket socket = jdk.newWebSocketBuilder()
          .subprotocols("chat", "superchat")
          .buildAsync(URI.create(url(server)), listener)
          .get();
      assertEquals("superchat", socket.getSubprotocol());
      socket.sendText("hel", false).get();
      socket.sendText("lo", true).get();
      assertEquals("hello", heard.take());
      socket.sendPing(ByteBuffer.wrap("you?".getBytes(UTF_8))).get();
      assertEquals("pong you?", heard.take());
      socket.sendClose(4000, "done").get();
      assertEquals(4000, closed.get());
    }
  }

  // ---- the handshake

  @Test
  void theExampleOfTheRfcIsAnswered() throws Exception {
    try (HttpServer server = serve(ECHO);
        RawConnection c = connect(server)) {
      c.send(OPENING + "\r\n");
      c.send(hex("81 85 37 fa 21 3d 7f 9f 4d 51 58")); // RFC 6455 section 5.7: Hello, masked
      String head = c.expectHead();
      assertTrue(head.startsWith("HTTP/1.1 101 "), head);
      assertTrue(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), head);
      assertFalse(head.toLowerCase(Locale.ROOT).contains("sec-websocket-extensions"), head);
      assertArrayEquals(hex("81 05 48 65 6c 6c 6f"), c.expectBytes(7));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /chat | POST /chat | 405 | Allow: GET",
        "Upgrade: websocket | Upgrade: other | 426 | Upgrade: websocket",
        "Connection: keep-alive, Upgrade | Connection: keep-alive | 426 | Upgrade: websocket",
        "-Version: 13 | -Version: 8 | 426 | Sec-WebSocket-Version: 13",
        "-Version: 13 | -Unknown: 13 | 426 | Sec-WebSocket-Version: 13",
        "HTTP/1.1 | HTTP/1.0 | 426 | Upgrade: websocket",
        "-Key: dGhlIHNhbXBsZSBub25jZQ== | -Key: dGhlIHNhbXBsZSBub25jZQ | 400 | Content-Length",
        "-Key: dGhlIHNhbXBsZSBub25jZQ== | -Key: c2hvcnQ= | 400 | Content-Length",
        "-Key: | -Unknown: | 400 | Content-Length",
      })
  void otherRequestsAreRefused(String part, String instead, int status, String field)
      throws Exception {
    try (HttpServer server = serve(ECHO);
        RawConnection c = connect(server)) {
      String opening = OPENING.replace(part, instead);
      assertFalse(opening.equals(OPENING));
      c.send(opening + "\r\n");
      String answer = c.expectMessage();
      assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
      assertTrue(answer.contains("\r\n" + field), answer);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost, 101",
    "https://localhost, 101",
    "http://localhost:8080, 403",
    "http://evil.example, 403",
    "http://localhost.evil.example, 403",
    "null, 403",
    "'http://localhost, http://evil.example', 403",
  })
  void onlyPagesOfTheSameOriginConnectByDefault(String origin, int status) throws Exception {
    try (HttpServer server = serve(ECHO);
        RawConnection c = connect(server)) {
      c.send(OPENING + "Origin: " + origin + "\r\n\r\n");
      assertTrue(c.expectHead().startsWith("HTTP/1.1 " + status + " "));
    }
  }

  @Test
  void otherPagesConnectIfTheyAreAllowed() throws Exception {
    WebSocketHandler handler = WebSocketHandler.builder()
        .origins("https://app.example"::equals)
        .build((socket, exchange) -> Server.echo(socket));
    for (String origin : List.of("https://app.example", "http://localhost")) {
      try (HttpServer server = serve(handler);
          RawConnection c = connect(server)) {
        c.send(OPENING + "Origin: " + origin + "\r\n\r\n");
        int status = origin.startsWith("https") ? 101 : 403;
        assertTrue(c.expectHead().startsWith("HTTP/1.1 " + status + " "));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {"'chat, superchat', superchat", "chat, chat", "Chat, none", "other, none"})
  void theServersPreferredSubprotocolIsChosen(String offered, String chosen) throws Exception {
    WebSocketHandler handler = WebSocketHandler.builder()
        .subprotocols("superchat", "chat")
        .build((socket, exchange) ->
            socket.send(socket.subprotocol() + "/" + exchange.request().path()));
    try (HttpServer server = serve(handler);
        WebSocket socket = WebSocket.builder(client, url(server))
            .subprotocols(offered.split(", "))
            .open()) {
      assertEquals(chosen, socket.subprotocol());
      assertEquals(chosen + "//chat", text(socket.receive()));
    }
  }

  @Test
  void refusalsArriveOverHttp2() throws Exception {
    WebSocketHandler handler = WebSocketHandler.builder()
        .origins(origin -> false)
        .build((socket, exchange) -> Server.echo(socket));
    try (HttpServer server = serve(handler)) {
      Request request = request(server, HttpVersion.HTTP_2);
      Request fromPage =
          request.toBuilder().header("Origin", "http://localhost").build();
      WebSocketHandshakeException refused =
          assertThrows(WebSocketHandshakeException.class, () -> WebSocket.builder(client, fromPage)
              .open());
      assertEquals(403, refused.status().code());
      try (Response response = client.send(request)) {
        assertEquals(400, response.status().code());
        assertEquals("13", response.headers().first("Sec-WebSocket-Version"));
      }
    }
  }

  @Test
  void aHandlerMayOpenSocketsForSomeOfItsRequests() throws Exception {
    try (HttpServer server = HttpServer.builder()
            .exchangeHandler(exchange ->
                exchange.offers("websocket") ? ECHO.handle(exchange) : Response.ok("a page"))
            .start();
        WebSocket socket = WebSocket.open(client, url(server))) {
      socket.send("hi");
      assertEquals("hi", text(socket.receive()));
      String page = "http://localhost:" + server.port() + "/";
      try (Response response = client.send(Request.get(page))) {
        assertEquals("a page", response.body().string());
      }
    }
  }

  // ---- broken peers

  @ParameterizedTest
  @CsvSource({
    "81 05 48 65 6c 6c 6f, 1002", // not masked
    "c1 80 00 00 00 00, 1002", // compressed, which was not agreed on
    "83 80 00 00 00 00, 1002", // a reserved opcode
    "80 80 00 00 00 00, 1002", // continues nothing
    "89 fe 00 7e 00 00 00 00, 1002", // a long ping
    "81 81 00 00 00 00 ff, 1007", // no UTF-8
    "82 ff 00 00 00 00 01 00 00 01 00 00 00 00, 1009", // larger than 16 MiB
    "88 82 00 00 00 00 03 ed, 1002", // 1005 is never sent
  })
  void clientsThatBreakARuleAreSentItsCode(String frame, int code) throws Exception {
    try (HttpServer server = serve(ECHO);
        RawConnection c = connect(server)) {
      c.send(OPENING + "\r\n");
      c.expectHead();
      c.send(hex(frame));
      expectClose(c, code);
      c.expectEnd();
    }
  }

  // ---- the end

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void anEndpointThatReturnsClosesItsSocket(HttpVersion version) throws Exception {
    try (HttpServer server = serve(WebSocketHandler.of((socket, exchange) -> {
          assertEquals(version, exchange.version());
          socket.send("bye");
        }));
        WebSocket socket = WebSocket.builder(client, request(server, version)).open()) {
      assertEquals("bye", text(socket.receive()));
      assertNull(socket.receive());
      assertEquals(CloseReason.NORMAL, socket.closeReason().code());
    }
  }

  @Test
  void anEndpointThatFailsClosesItsSocketWithAnErrorAndNoDetails() throws Exception {
    WebSocketHandler handler = WebSocketHandler.of((socket, exchange) -> {
      throw new IllegalStateException("secret");
    });
    try (HttpServer server = serve(handler);
        WebSocket socket = WebSocket.open(client, url(server))) {
      assertNull(socket.receive());
      assertEquals(new CloseReason(CloseReason.INTERNAL_ERROR, ""), socket.closeReason());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void aServerThatClosesGoesAway(HttpVersion version) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    WebSocketHandler handler = WebSocketHandler.of((socket, exchange) -> {
      Server.echo(socket);
      assertFalse(Thread.currentThread().isInterrupted());
      done.countDown();
    });
    HttpServer server = HttpServer.builder()
        .exchangeHandler(handler)
        .closeTimeout(Duration.ofHours(1))
        .start();
    try (WebSocket socket = WebSocket.builder(client, request(server, version)).open()) {
      socket.send("open");
      assertEquals("open", text(socket.receive()));
      Thread closer = Thread.ofVirtual().start(server::close);
      assertNull(socket.receive());
      assertEquals(CloseReason.GOING_AWAY, socket.closeReason().code());
      closer.join();
      done.await();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClientThatIsLostEndsTheEndpoint(boolean silently) throws Exception {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    WebSocketHandler handler = WebSocketHandler.builder()
        .pingInterval(silently ? Duration.ofMillis(50) : null)
        .build((socket, exchange) ->
            ended.complete(assertThrows(IOException.class, () -> Server.echo(socket))));
    try (HttpServer server = serve(handler);
        RawConnection c = connect(server)) {
      c.send(OPENING + "\r\n");
      c.expectHead();
      if (silently) {
        assertArrayEquals(hex("89 00"), c.expectBytes(2));
      } else {
        c.close();
      }
      assertTrue(ended.get() instanceof IOException);
    }
  }
}
