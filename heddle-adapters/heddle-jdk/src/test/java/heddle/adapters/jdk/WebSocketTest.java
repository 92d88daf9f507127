package heddle.adapters.jdk;

import static heddle.adapters.jdk.WebSocketWorld.failure;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.jdk.WebSocketPeer.Frame;
import heddle.adapters.jdk.WebSocketWorld.Open;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes through an open WebSocket. */
@Timeout(60)
class WebSocketTest {
  /** More than the buffers between client and server hold. */
  private static final int LARGE_BYTES = 32 << 20;

  @AutoClose
  private final WebSocketWorld world = new WebSocketWorld();

  private final WebSocketPeer peer = world.peer;

  private Open open(Stack stack, WebSocket.Listener listener) throws Exception {
    return world.open(stack.client(), listener);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  // ---- messages

  @ParameterizedTest
  @EnumSource
  void messagesGoBothWays(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    assertEquals("open", hearing.next());
    assertEquals("", open.socket().getSubprotocol());
    for (String text : new String[] {"", "a", "€\uD83D\uDE00".repeat(20)}) {
      assertSame(open.socket(), open.socket().sendText(text, true).get());
      assertEquals("1 " + text, open.server().read().toString());
      open.server().frame(0x81, text);
      assertEquals("text " + text, hearing.next());
      ByteBuffer bytes = bytes(text);
      assertSame(open.socket(), open.socket().sendBinary(bytes, true).get());
      assertEquals(0, bytes.remaining());
      assertEquals("2 " + text, open.server().read().toString());
      open.server().frame(0x82, text);
      assertEquals("binary " + text, hearing.next());
    }
  }

  @ParameterizedTest
  @EnumSource
  void partsOfAMessageAreSentAsTheyCome(Stack stack) throws Exception {
    Open open = open(stack, new Hearing());
    open.socket().sendText("a", false).get();
    assertEquals("1... a", open.server().read().toString());
    open.socket().sendPing(bytes("between")).get();
    assertEquals("9 between", open.server().read().toString());
    open.socket().sendText("", false).get();
    assertEquals("0... ", open.server().read().toString());
    open.socket().sendText("b", true).get();
    assertEquals("0 b", open.server().read().toString());
    open.socket().sendBinary(bytes("c"), false).get();
    assertEquals("2... c", open.server().read().toString());
    open.socket().sendBinary(bytes("d"), true).get();
    assertEquals("0 d", open.server().read().toString());
  }

  @ParameterizedTest
  @EnumSource
  void partsOfAMessageAreHeardAsTheyCome(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    assertEquals("open", hearing.next());
    open.server().frame(0x01, "a");
    assertEquals("text... a", hearing.next());
    open.server().frame(0x89, "between");
    assertEquals("ping between", hearing.next());
    open.server().frame(0x00, "b");
    assertEquals("text... b", hearing.next());
    open.server().frame(0x80, "");
    assertEquals("text ", hearing.next());
    open.server().announce(0x82, 2);
    open.server().send("c");
    assertEquals("binary... c", hearing.next());
    open.server().send("d");
    assertEquals("binary d", hearing.next());
  }

  @ParameterizedTest
  @EnumSource
  void noCharacterIsSplit(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    assertEquals("open", hearing.next());
    byte[] text = "a\uD83D\uDE00b".getBytes(UTF_8);
    open.server().announce(0x81, text.length);
    open.server().send(new byte[] {text[0], text[1], text[2]});
    assertEquals("text... a", hearing.next());
    open.server().send(new byte[] {text[3]});
    open.server().send(new byte[] {text[4], text[5]});
    String rest = hearing.next();
    assertEquals(
        "\uD83D\uDE00b",
        rest.startsWith("text... ")
            ? rest.substring(8) + hearing.next().substring(5)
            : rest.substring(5));
  }

  /** Counts the bytes of a message that is heard, and requests the next part each time. */
  private static final class Counting extends Hearing {
    private long count;
    private int largest;

    Counting() {
      super(1);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer bytes, boolean last) {
      count += bytes.remaining();
      largest = Math.max(largest, bytes.remaining());
      if (last) {
        heard.add(count + " bytes");
        assertTrue(largest <= 64 * 1024, () -> largest + " bytes in a part");
      }
      socket.request(1);
      return null;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMessageOfAnySizeIsHeardInParts(Stack stack) throws Exception {
    Counting counting = new Counting();
    Open open = open(stack, counting);
    assertEquals("open", counting.next());
    open.server().announce(0x82, LARGE_BYTES);
    byte[] piece = new byte[1 << 20];
    for (int sent = 0; sent < LARGE_BYTES; sent += piece.length) {
      open.server().send(piece);
    }
    assertEquals(LARGE_BYTES + " bytes", counting.next());
  }

  @ParameterizedTest
  @EnumSource
  void aMessageOfAnySizeIsSent(Stack stack) throws Exception {
    Open open = open(stack, new Hearing());
    byte[] content = new byte[5 << 20];
    new Random(1).nextBytes(content);
    CompletableFuture<WebSocket> sent = open.socket().sendBinary(ByteBuffer.wrap(content), true);
    assertArrayEquals(content, open.server().readMessage(2));
    sent.get();
    String text = "€uro".repeat(200_000);
    sent = open.socket().sendText(text, true);
    assertEquals(text, new String(open.server().readMessage(1), UTF_8));
    sent.get();
  }

  // ---- demand

  @ParameterizedTest
  @EnumSource
  void theListenerGetsAsManyCallsAsItRequests(Stack stack) throws Exception {
    Hearing hearing = new Hearing(2);
    Open open = open(stack, hearing);
    assertEquals("open", hearing.next());
    for (int i = 0; i < 5; i++) {
      open.server().frame(0x81, "text " + i);
    }
    assertEquals("text text 0", hearing.next());
    assertEquals("text text 1", hearing.next());
    open.socket().sendText("received two", true).get();
    assertEquals("1 received two", open.server().read().toString());
    assertEquals(0, hearing.heard.size());
    open.socket().request(1);
    assertEquals("text text 2", hearing.next());
    open.socket().sendText("received three", true).get();
    assertEquals(0, hearing.heard.size());
    open.socket().request(Long.MAX_VALUE);
    open.socket().request(Long.MAX_VALUE);
    assertEquals("text text 3", hearing.next());
    assertEquals("text text 4", hearing.next());
    assertThrows(IllegalArgumentException.class, () -> open.socket().request(0));
    assertThrows(IllegalArgumentException.class, () -> open.socket().request(-1));
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsReadWhileNothingIsRequested(Stack stack) throws Exception {
    Open open = open(stack, new Hearing(0));
    FutureTask<Void> sending = new FutureTask<>(() -> {
      open.server().announce(0x82, LARGE_BYTES);
      open.server().send(new byte[LARGE_BYTES]);
      return null;
    });
    Thread.startVirtualThread(sending);
    // However slow the machine: if the client does not read, the server cannot send it all.
    assertThrows(TimeoutException.class, () -> sending.get(1, TimeUnit.SECONDS));
    open.socket().request(Long.MAX_VALUE);
    sending.get();
  }

  // ---- pings

  @ParameterizedTest
  @EnumSource
  void pingsAreAnsweredAndSent(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    assertEquals("open", hearing.next());
    open.server().frame(0x89, "there?");
    assertEquals("ping there?", hearing.next());
    assertEquals("10 there?", open.server().read().toString());
    ByteBuffer ping = ByteBuffer.wrap(new byte[125]);
    assertSame(open.socket(), open.socket().sendPing(ping).get());
    assertEquals(0, ping.remaining());
    Frame frame = open.server().read();
    assertEquals(9, frame.opcode());
    assertEquals(125, frame.payload().length);
    open.server().frame(0x8A, "here");
    assertEquals("pong here", hearing.next());
    open.socket().sendPong(bytes("unasked")).get();
    assertEquals("10 unasked", open.server().read().toString());
  }

  /** RFC 6455 section 5.5.3: otherwise a peer that does not read would fill the memory. */
  @ParameterizedTest
  @EnumSource
  void ofManyPingsTheLatestIsAnswered(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    assertEquals("open", hearing.next());
    CompletableFuture<WebSocket> large =
        open.socket().sendBinary(ByteBuffer.allocate(LARGE_BYTES), true);
    open.server().awaitFrame();
    for (int i = 0; i < 1000; i++) {
      open.server().frame(0x89, "" + i);
      assertEquals("ping " + i, hearing.next());
    }
    assertEquals(LARGE_BYTES, open.server().readMessage(2).length);
    large.get();
    int pongs = 1;
    while (!open.server().read().text().equals("999")) {
      pongs++;
    }
    assertTrue(pongs <= 3, pongs + " pongs");
  }

  // ---- sends that are refused

  @ParameterizedTest
  @EnumSource
  void aSecondSendWaitsForTheFirst(Stack stack) throws Exception {
    Open open = open(stack, new Hearing());
    CompletableFuture<WebSocket> large =
        open.socket().sendBinary(ByteBuffer.allocate(LARGE_BYTES), true);
    failure(IllegalStateException.class, open.socket().sendBinary(bytes("x"), true));
    failure(IllegalStateException.class, open.socket().sendText("x", true));
    CompletableFuture<WebSocket> ping = open.socket().sendPing(bytes("x"));
    failure(IllegalStateException.class, open.socket().sendPong(bytes("x")));
    failure(IllegalStateException.class, open.socket().sendPing(bytes("x")));
    assertFalse(large.isDone());
    open.socket().abort();
    failure(IOException.class, large);
    failure(IOException.class, ping);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageIsOfOneKind(Stack stack) throws Exception {
    Open open = open(stack, new Hearing());
    open.socket().sendText("a", false).get();
    failure(IllegalStateException.class, open.socket().sendBinary(bytes("x"), true));
    open.socket().sendText("b", true).get();
    assertEquals("ab", new String(open.server().readMessage(1), UTF_8));
    open.socket().sendBinary(bytes("a"), false).get();
    failure(IllegalStateException.class, open.socket().sendText("x", true));
    open.socket().sendBinary(bytes("b"), true).get();
    assertEquals("ab", new String(open.server().readMessage(2), UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeSentIsRefusedAndTheSocketGoesOn(Stack stack) throws Exception {
    Open open = open(stack, new Hearing());
    WebSocket socket = open.socket();
    failure(IllegalArgumentException.class, socket.sendPing(ByteBuffer.allocate(126)));
    failure(IllegalArgumentException.class, socket.sendPong(ByteBuffer.allocate(126)));
    failure(IOException.class, socket.sendText("half \uD83D", true));
    for (int code : new int[] {
      -1, 0, 999, 1002, 1003, 1004, 1005, 1006, 1007, 1009, 1010, 1012, 1013, 1014, 1015, 1016,
      2999, 5000, 65536
    }) {
      failure(IllegalArgumentException.class, socket.sendClose(code, ""));
    }
    for (String reason : new String[] {"x".repeat(124), "€".repeat(42), "\uDE00"}) {
      failure(IllegalArgumentException.class, socket.sendClose(1000, reason));
    }
    assertThrows(NullPointerException.class, () -> socket.sendText(null, true));
    assertThrows(NullPointerException.class, () -> socket.sendBinary(null, true));
    assertThrows(NullPointerException.class, () -> socket.sendPing(null));
    assertThrows(NullPointerException.class, () -> socket.sendPong(null));
    assertThrows(NullPointerException.class, () -> socket.sendClose(1000, null));
    assertFalse(socket.isOutputClosed());
    socket.sendText("still there", true).get();
    assertEquals("1 still there", open.server().read().toString());
  }

  // ---- threads

  @ParameterizedTest
  @EnumSource
  void theListenerIsCalledOnTheExecutor(Stack stack) throws Exception {
    try (ExecutorService executor =
        Executors.newSingleThreadExecutor(task -> new Thread(task, "of the executor"))) {
      Hearing hearing = new Hearing() {
        @Override
        public @Nullable CompletionStage<?> onText(
            WebSocket socket, CharSequence text, boolean last) {
          heard.add(Thread.currentThread().getName());
          return null;
        }
      };
      HttpClient made =
          stack.builder().proxy(HttpClient.Builder.NO_PROXY).executor(executor).build();
      Open open = world.open(made, hearing);
      open.server().frame(0x81, "x");
      assertEquals("open", hearing.next());
      assertEquals("of the executor", hearing.next());
      open.socket().abort();
    }
  }

  /** The JDK's own client would wait for ever: there the stage is part of the send. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STOCK")
  void aStageOfASendMayWaitForTheNext(Stack stack) throws Exception {
    Open open = open(stack, new Hearing());
    CompletableFuture<WebSocket> large =
        open.socket().sendBinary(ByteBuffer.allocate(LARGE_BYTES), true);
    CompletableFuture<Void> both = large.thenRun(() -> {
      for (int i = 0; i < 10; i++) {
        open.socket().sendText("next", true).join();
      }
    });
    assertEquals(LARGE_BYTES, open.server().readMessage(2).length);
    for (int i = 0; i < 10; i++) {
      assertEquals("1 next", open.server().read().toString());
    }
    both.get();
  }

  @ParameterizedTest
  @EnumSource
  void aListenerMaySend(Stack stack) throws Exception {
    Hearing echo = new Hearing(1) {
      @Override
      public @Nullable CompletionStage<?> onText(
          WebSocket socket, CharSequence text, boolean last) {
        return socket.sendText(text, last).thenAccept(sent -> sent.request(1));
      }
    };
    Open open = open(stack, echo);
    for (int i = 0; i < 100; i++) {
      open.server().frame(0x81, "text " + i);
      assertEquals("1 text " + i, open.server().read().toString());
    }
  }
}
