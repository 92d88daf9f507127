package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.MalformedUrlException;
import heddle.http.Request;
import heddle.http.StatusException;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets of a client. */
@Timeout(60)
final class WebSocketTest {
  @AutoClose
  private final HttpClient client = HttpClient.create();

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static String text(Message message) {
    return assertInstanceOf(Message.Text.class, message).text();
  }

  private int inUse() {
    return client.pool().routes().stream().mapToInt(RouteSnapshot::inUse).sum();
  }

  /** Reads one frame of the client, which is short: its opcode, and its payload. */
  private static Map.Entry<Opcode, byte[]> frame(RawConnection c) throws IOException {
    byte[] head = c.expectBytes(6);
    FrameHeader header = FrameHeader.decode(head, 0, Role.SERVER, true);
    byte[] payload = c.expectBytes((int) header.length());
    Masking.apply(payload, 0, payload.length, header.key(), 0);
    return Map.entry(header.opcode(), payload);
  }

  private static void expectClose(RawConnection c, int code) throws IOException {
    Map.Entry<Opcode, byte[]> frame = frame(c);
    assertEquals(Opcode.CLOSE, frame.getKey());
    assertEquals(code, CloseReason.of(frame.getValue()).code());
  }

  // ---- messages

  @ParameterizedTest
  @EnumSource(Compression.class)
  void messagesGoBothWays(Compression compression) throws Exception {
    Deflation deflation =
        switch (compression) {
          case OFF -> null;
          case EACH_MESSAGE -> new Deflation(false, false);
          case WITH_CONTEXT -> new Deflation(true, true);
        };
    String offer = Deflation.offer(compression);
    String answer = offer == null ? "" : "Sec-WebSocket-Extensions: " + offer + "\r\n";
    Random random = new Random(1);
    try (Server server = Server.sockets(deflation, answer, Server::echo);
        WebSocket socket =
            WebSocket.builder(client, server.url()).compression(compression).open()) {
      for (int length : new int[] {0, 1, 125, 126, 1000, 65_535, 65_536, 200_000}) {
        byte[] data = new byte[length];
        random.nextBytes(data);
        socket.send(data);
        assertEquals(new Message.Binary(data), socket.receive());
        String text = "\u00e4\u20ac\ud83d\ude00x".repeat(length / 10);
        socket.send(text);
        assertEquals(text, text(socket.receive()));
      }
      assertEquals(offer != null, server.heads.getFirst().contains("permessage-deflate"));
    }
    assertEquals(0, inUse());
  }

  @Test
  void manyThreadsSendWithoutMixingTheirMessages() throws Exception {
    try (Server server = Server.echo();
        WebSocket socket = WebSocket.open(client, server.url())) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String content = Character.toString('a' + i).repeat(20_000 * (i % 5 + 1));
        threads.add(Thread.ofVirtual().start(() -> {
          try {
            socket.send(content);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        }));
      }
      Map<Character, Integer> lengths = new HashMap<>();
      for (int i = 0; i < 20; i++) {
        String text = text(socket.receive());
        assertEquals(1, text.chars().distinct().count());
        lengths.put(text.charAt(0), text.length());
      }
      assertEquals(20, lengths.size());
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  @Test
  void fragmentsArePutTogetherAndControlFramesBetweenThemAnswered() throws Exception {
    try (Server server = Server.raw("", c -> {
          c.send(hex("01 03 48 65 6c"));
          c.send(hex("89 02 68 69")); // a ping
          c.send(hex("00 00"));
          c.send(hex("8a 00")); // a pong that was not asked for
          c.send(hex("80 02 6c 6f"));
          Map.Entry<Opcode, byte[]> pong = frame(c);
          assertEquals(Opcode.PONG, pong.getKey());
          assertArrayEquals("hi".getBytes(UTF_8), pong.getValue());
          c.send(hex("82 01 07"));
          expectClose(c, 1000);
          c.send(hex("88 02 03 e8"));
          c.expectEnd();
        });
        WebSocket socket = WebSocket.open(client, server.url())) {
      assertEquals("Hello", text(socket.receive()));
      assertEquals(new Message.Binary(new byte[] {7}), socket.receive());
    }
  }

  @Test
  void loopEndsWhenThePeerCloses() throws Exception {
    try (Server server = Server.sockets(null, "", socket -> {
          socket.send("one");
          socket.send("two");
          socket.close(4001, "enough");
        });
        WebSocket socket = WebSocket.open(client, server.url())) {
      List<String> texts = new ArrayList<>();
      for (Message message : socket) {
        texts.add(text(message));
      }
      assertEquals(List.of("one", "two"), texts);
      assertEquals(new CloseReason(4001, "enough"), socket.closeReason());
      assertNull(socket.receive());
      assertFalse(socket.isOpen());
      WebSocketClosedException failure =
          assertThrows(WebSocketClosedException.class, () -> socket.send("more"));
      assertTrue(failure.getMessage().contains("4001 (enough)"), failure::getMessage);
      assertEquals(4001, failure.reason().code());
    }
    assertEquals(0, inUse());
  }

  // ---- closing

  @Test
  void closeFrameOfThePeerIsAnsweredWithItsCode() throws Exception {
    CompletableFuture<Integer> answered = new CompletableFuture<>();
    try (Server server = Server.raw("", c -> {
          c.send(hex("88 02 03 e9"));
          answered.complete(CloseReason.of(frame(c).getValue()).code());
          c.expectEnd();
        });
        WebSocket socket = WebSocket.open(client, server.url())) {
      assertNull(socket.receive());
      assertEquals(1001, answered.get());
      assertEquals(1001, socket.closeReason().code());
    }
  }

  @Test
  void closingTellsThePeerAndEndsTheThreadThatReceives() throws Exception {
    BlockingQueue<CloseReason> heard = new LinkedBlockingQueue<>();
    try (Server server = Server.sockets(null, "", socket -> {
      assertNull(socket.receive());
      heard.add(socket.closeReason());
    })) {
      WebSocket socket = WebSocket.open(client, server.url());
      FutureTask<Message> receiving = new FutureTask<>(socket::receive);
      Thread.ofVirtual().start(receiving);
      socket.close(1008, "no");
      assertNull(receiving.get());
      assertEquals(new CloseReason(1008, "no"), heard.take());
      assertEquals(0, inUse());
      socket.close(); // again
      assertThrows(WebSocketClosedException.class, () -> socket.send("late"));
    }
  }

  @Test
  void peerThatDoesNotAnswerAClosingIsNotAwaitedForEver() throws Exception {
    try (Server server = Server.raw("", RawConnection::drain)) {
      WebSocket socket = WebSocket.builder(client, server.url())
          .closeTimeout(Duration.ofMillis(20))
          .open();
      socket.close();
      assertNull(socket.closeReason());
      assertEquals(0, inUse());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 2999, 5000})
  void codesThatMayNotBeSentAreRefused(int code) throws Exception {
    try (Server server = Server.echo();
        WebSocket socket = WebSocket.open(client, server.url())) {
      assertThrows(IllegalArgumentException.class, () -> socket.close(code, ""));
      assertThrows(IllegalArgumentException.class, () -> socket.close(1000, "x".repeat(124)));
      socket.send("still open");
      assertEquals("still open", text(socket.receive()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "81", "01 01 41", "81 05 41"})
  void lostConnectionFailsTheReceiver(String sent) throws Exception {
    try (Server server = Server.raw("", c -> c.send(hex(sent)));
        WebSocket socket = WebSocket.open(client, server.url())) {
      WebSocketClosedException failure =
          assertThrows(WebSocketClosedException.class, socket::receive);
      assertTrue(failure.getMessage().contains("was lost: "), failure::getMessage);
      assertNull(failure.reason());
      assertThrows(WebSocketClosedException.class, socket::receive);
      assertThrows(WebSocketClosedException.class, () -> socket.send("x"));
    }
    assertEquals(0, inUse());
  }

  @Test
  void interruptClosesTheSocket() throws Exception {
    try (Server server = Server.raw("", RawConnection::drain)) {
      WebSocket socket = WebSocket.open(client, server.url());
      FutureTask<Boolean> receiving = new FutureTask<>(() -> {
        assertThrows(InterruptedIOException.class, socket::receive);
        return Thread.interrupted();
      });
      Thread thread = Thread.ofVirtual().start(receiving);
      while (thread.getState() != Thread.State.WAITING
          && thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      thread.interrupt();
      assertTrue(receiving.get());
      assertFalse(socket.isOpen());
      assertEquals(0, inUse());
    }
  }

  // ---- pings

  @Test
  void peerThatAnswersNoPingsIsGone() throws Exception {
    try (Server server = Server.raw("", RawConnection::drain);
        WebSocket socket = WebSocket.builder(client, server.url())
            .pingInterval(Duration.ofMillis(10))
            .open()) {
      WebSocketClosedException failure =
          assertThrows(WebSocketClosedException.class, socket::receive);
      assertTrue(failure.getMessage().contains("two ping intervals"), failure::getMessage);
    }
  }

  @Test
  void pingsAreSentUntilTheSocketIsClosed() throws Exception {
    try (Server server = Server.raw("", c -> {
          for (int i = 0; i < 3; i++) {
            assertEquals(Opcode.PING, frame(c).getKey());
            c.send(hex("8a 00"));
          }
          c.send(hex("81 01 41"));
          Map.Entry<Opcode, byte[]> next = frame(c);
          while (next.getKey() == Opcode.PING) {
            c.send(hex("8a 00"));
            next = frame(c);
          }
          assertEquals(Opcode.CLOSE, next.getKey());
          c.send(hex("88 00"));
          c.expectEnd();
        });
        WebSocket socket = WebSocket.builder(client, server.url())
            .pingInterval(Duration.ofMillis(500))
            .open()) {
      assertEquals("A", text(socket.receive()));
    }
  }

  // ---- what breaks the rules

  @ParameterizedTest
  @CsvSource({
    "80 01 41, 1002, continuation of no message",
    "01 01 41 81 01 42, 1002, before the end of another",
    "81 01 ff, 1007, not UTF-8",
    "01 01 c3 80 01 28, 1007, not UTF-8",
    "81 03 ed a0 80, 1007, not UTF-8",
    "88 01 03, 1002, half a code",
    "88 02 03 ed, 1002, may not be sent",
    "88 03 03 e8 ff, 1007, not UTF-8",
    "83 00, 1002, reserved opcode",
    "82 7f 00 00 00 01 00 00 00 00, 1009, maxMessageBytes",
    "02 7e 00 fe, 1009, maxMessageBytes",
  })
  void brokenRuleClosesTheSocketWithACode(String hex, int code, String what) throws Exception {
    CompletableFuture<Void> said = new CompletableFuture<>();
    try (Server server = Server.raw("", c -> {
          c.send(hex(hex));
          expectClose(c, code);
          said.complete(null);
          c.expectEnd();
        });
        WebSocket socket =
            WebSocket.builder(client, server.url()).maxMessageBytes(253).open()) {
      WebSocketProtocolException failure =
          assertThrows(WebSocketProtocolException.class, socket::receive);
      assertEquals(code, failure.code());
      assertTrue(failure.getMessage().contains(what), failure::getMessage);
      said.get();
      assertThrows(WebSocketClosedException.class, socket::receive);
    }
    assertEquals(0, inUse());
  }

  @Test
  void messageOfAsManyBytesAsAllowedIsReceivedAndALargerOneOfFragmentsIsNot() throws Exception {
    try (Server server = Server.raw("", c -> {
          c.send(hex("02 02 01 02 80 02 03 04"));
          c.send(hex("02 02 01 02 00 02 03 04 80 01 05"));
          expectClose(c, 1009);
        });
        WebSocket socket =
            WebSocket.builder(client, server.url()).maxMessageBytes(4).open()) {
      assertEquals(new Message.Binary(new byte[] {1, 2, 3, 4}), socket.receive());
      assertThrows(WebSocketProtocolException.class, socket::receive);
    }
  }

  @Test
  void framesWithoutContentAreBounded() throws Exception {
    try (Server server = Server.raw("", c -> {
          c.send(hex("01 00"));
          c.send(hex("00 00".repeat(1001)));
          expectClose(c, 1008);
        });
        WebSocket socket = WebSocket.open(client, server.url())) {
      assertThrows(WebSocketProtocolException.class, socket::receive);
    }
  }

  // ---- over HTTP/2 (RFC 8441)

  @Test
  void socketCanBeAStreamOfHttp2() throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.each(network, Http2Peer.server(h2 -> {
          h2.handshake(Settings.ENABLE_CONNECT_PROTOCOL, 1);
          Http2Head head = h2.expectHeaders();
          assertEquals("websocket", head.value(":protocol"));
          assertEquals("13", head.value("sec-websocket-version"));
          int stream = head.streamId();
          h2.sendHeaders(stream, false, ":status: 200", "sec-websocket-protocol: chat");
          assertEquals(6 + 5, h2.expectData(stream).data().remaining());
          h2.sendData(stream, false, "\u0081\u0005World\u0088\0");
          h2.expectData(stream);
          h2.expectRst(stream, ErrorCode.CANCEL);
        }))) {
      Request request =
          client.request(peer.url("/")).version(HttpVersion.HTTP_2).build();
      try (WebSocket socket =
          WebSocket.builder(client, request).subprotocols("chat").open()) {
        assertEquals("chat", socket.subprotocol());
        socket.send("Hello");
        assertEquals("World", text(socket.receive()));
        assertNull(socket.receive());
      }
      assertEquals(0, inUse());
    }
  }

  // ---- the handshake

  @Test
  void requestAsksAsTheRfcSays() throws Exception {
    try (Server server = Server.raw("Sec-WebSocket-Protocol: b\r\n", RawConnection::drain)) {
      Request request = client
          .request(server.url().replace("ws:", "http:"))
          .header("Origin", "https://example.com")
          .build();
      try (WebSocket socket = WebSocket.builder(client, request)
          .subprotocols("a", "b")
          .closeTimeout(Duration.ofMillis(1))
          .open()) {
        assertEquals("b", socket.subprotocol());
        assertTrue(socket.isOpen());
        assertEquals(1, inUse());
      }
      String head = server.heads.getFirst();
      assertTrue(head.startsWith("GET /chat HTTP/1.1\r\n"), head);
      for (String field : List.of(
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Protocol: a, b",
          "Origin: https://example.com")) {
        assertTrue(head.contains("\r\n" + field + "\r\n"), head);
      }
      assertFalse(head.contains("Extensions"), head);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 14\r\n\r\nnot from there",
        "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n",
      })
  void otherAnswersFailWithTheirStatus(String answer) throws Exception {
    try (Server server = Server.answering(head -> answer)) {
      WebSocketHandshakeException failure = assertThrows(
          WebSocketHandshakeException.class, () -> WebSocket.open(client, server.url()));
      assertEquals(answer.substring(9, 12), "" + failure.status().code());
      assertNotNull(failure.headers().first("Content-Length"));
      if (answer.contains("not from there")) {
        assertInstanceOf(StatusException.class, failure.getCause());
        assertTrue(failure.getCause().getMessage().contains("not from there"));
      }
      assertEquals(0, inUse());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Sec-WebSocket-Accept, Sec-WebSocket-Reject, does not answer",
    "Sec-WebSocket-Accept: , Sec-WebSocket-Accept: x, does not answer",
    "Upgrade: WebSocket, Upgrade: other, another protocol",
    "'keep-alive, upgrade', keep-alive, another protocol",
    "Connection:, 'Sec-WebSocket-Protocol: x\\r\\nConnection:', not offered",
    "Connection:, 'Sec-WebSocket-Extensions: x\\r\\nConnection:', not offered",
  })
  void serverThatSwitchesOtherwiseIsRefused(String correct, String wrong, String what)
      throws Exception {
    String replacement = wrong.replace("\\r\\n", "\r\n");
    try (Server server =
        Server.answering(head -> Server.switching(head).replace(correct, replacement) + "\r\n")) {
      WebSocketHandshakeException failure = assertThrows(
          WebSocketHandshakeException.class, () -> WebSocket.open(client, server.url()));
      assertTrue(failure.getMessage().contains(what), failure::getMessage);
      assertEquals(0, inUse());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a,b", "a/b", "é", "chat"})
  void subprotocolsAreTokensAndDiffer(String name) throws Exception {
    WebSocket.Builder builder = WebSocket.builder(client, "ws://localhost/");
    assertThrows(IllegalArgumentException.class, () -> builder.subprotocols("chat", name));
    List<String> names = List.of("chat", name);
    assertThrows(IllegalArgumentException.class, () -> new Handshake(names));
  }

  @Test
  void onlyAGetWithoutContentOpensASocket() {
    assertThrows(MalformedUrlException.class, () -> WebSocket.open(client, "ftp://localhost/"));
    assertThrows(
        IllegalArgumentException.class,
        () -> WebSocket.builder(client, Request.post("http://localhost/", Body.of("x"))));
  }
}
