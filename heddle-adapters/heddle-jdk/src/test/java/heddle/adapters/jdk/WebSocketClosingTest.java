package heddle.adapters.jdk;

import static heddle.adapters.jdk.WebSocketWorld.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.jdk.WebSocketWorld.Open;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How WebSockets end. */
@Timeout(60)
class WebSocketClosingTest {
  @AutoClose
  private final WebSocketWorld world = new WebSocketWorld();

  private final WebSocketPeer peer = world.peer;

  private Open open(Stack stack, Hearing hearing) throws Exception {
    Open open = world.open(stack.client(), hearing);
    assertEquals("open", hearing.next());
    return open;
  }

  // ---- the closing handshake

  @ParameterizedTest
  @EnumSource
  void theClientCloses(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    WebSocket socket = open.socket();
    assertFalse(socket.isOutputClosed());
    assertFalse(socket.isInputClosed());
    CompletableFuture<WebSocket> closed = socket.sendClose(WebSocket.NORMAL_CLOSURE, "bye €");
    assertTrue(socket.isOutputClosed());
    assertSame(socket, closed.get());
    assertEquals("8 1000 bye €", open.server().read().toString());
    open.server().frame(0x81, "the last word");
    assertEquals("text the last word", hearing.next());
    assertFalse(socket.isInputClosed());
    open.server().close(1000, "bye");
    assertEquals("close 1000 bye", hearing.next());
    assertTrue(socket.isInputClosed());
    open.server().expectEnd();
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsSentOnceTheOutputIsClosed(Stack stack) throws Exception {
    Open open = open(stack, new Hearing());
    WebSocket socket = open.socket();
    socket.sendText("begun", false).get();
    socket.sendClose(3000, "").get();
    ByteBuffer bytes = ByteBuffer.allocate(1);
    List<Supplier<CompletableFuture<?>>> sends = List.of(
        () -> socket.sendText("x", true),
        () -> socket.sendBinary(bytes, true),
        () -> socket.sendPing(bytes),
        () -> socket.sendPong(bytes),
        () -> socket.sendClose(1000, ""));
    for (Supplier<CompletableFuture<?>> each : sends) {
      assertEquals("Output closed", failure(IOException.class, each.get()).getMessage());
    }
    failure(IllegalArgumentException.class, socket.sendClose(1005, ""));
    assertEquals("1... begun", open.server().read().toString());
    assertEquals("8 3000 ", open.server().read().toString());
    open.server().close(1000, "");
    open.server().expectEnd();
  }

  @ParameterizedTest
  @EnumSource
  void theServerCloses(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    open.server().close(1001, "away");
    assertEquals("close 1001 away", hearing.next());
    assertTrue(open.socket().isInputClosed());
    assertEquals("8 1001 ", open.server().read().toString());
    open.server().expectEnd();
    assertTrue(open.socket().isOutputClosed());
  }

  @ParameterizedTest
  @EnumSource
  void aCloseWithoutACodeIsAnsweredWithTheNormalOne(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    open.server().frame(0x88, "");
    assertEquals("close 1005 ", hearing.next());
    assertEquals("8 1000 ", open.server().read().toString());
    open.server().expectEnd();
  }

  /** Its method {@code onClose} returns a stage. */
  private static final class Slow extends Hearing {
    final CompletableFuture<Void> mayClose = new CompletableFuture<>();

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      var ignored = super.onClose(socket, code, reason);
      return mayClose;
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOutputIsClosedWhenTheListenerAllowsIt(Stack stack) throws Exception {
    Slow slow = new Slow();
    Open open = open(stack, slow);
    open.server().close(1000, "");
    assertEquals("close 1000 ", slow.next());
    assertTrue(open.socket().isInputClosed());
    assertFalse(open.socket().isOutputClosed());
    open.socket().sendText("wait", true).get();
    assertEquals("1 wait", open.server().read().toString());
    slow.mayClose.complete(null);
    assertEquals("8 1000 ", open.server().read().toString());
    open.server().expectEnd();
  }

  @ParameterizedTest
  @EnumSource
  void theListenerMayAnswerACloseItself(Stack stack) throws Exception {
    Slow slow = new Slow();
    Open open = open(stack, slow);
    open.server().close(1000, "");
    assertEquals("close 1000 ", slow.next());
    open.socket().sendClose(4000, "mine").get();
    assertEquals("8 4000 mine", open.server().read().toString());
    open.server().expectEnd();
    slow.mayClose.complete(null);
  }

  @ParameterizedTest
  @EnumSource
  void aCloseWaitsForDemand(Stack stack) throws Exception {
    Hearing hearing = new Hearing(1);
    Open open = open(stack, hearing);
    open.server().frame(0x81, "x");
    assertEquals("text x", hearing.next());
    open.server().close(1000, "");
    open.socket().sendText("still open", true).get();
    assertEquals("1 still open", open.server().read().toString());
    assertEquals(0, hearing.heard.size());
    open.socket().request(1);
    assertEquals("close 1000 ", hearing.next());
    assertEquals("8 1000 ", open.server().read().toString());
  }

  // ---- the abrupt end

  @ParameterizedTest
  @EnumSource
  void anAbortEndsBothSidesAtOnce(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    WebSocket socket = open.socket();
    socket.abort();
    assertTrue(socket.isInputClosed());
    assertTrue(socket.isOutputClosed());
    open.server().expectEnd();
    failure(IOException.class, socket.sendText("x", true));
    failure(IOException.class, socket.sendClose(1000, ""));
    socket.abort();
    socket.request(1);
    HttpClient of = world.client();
    of.shutdown();
    assertTrue(of.awaitTermination(Duration.ofSeconds(30)));
    assertEquals(0, hearing.heard.size());
  }

  @ParameterizedTest
  @EnumSource
  void anEndWithoutACloseIsAnAbnormalClosure(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    open.server().close();
    assertEquals("close 1006 ", hearing.next());
    assertTrue(open.socket().isInputClosed());
  }

  /** The JDK's own client fails internally if the end comes right after a part. */
  @Test
  void anEndWithinAFrameIsAnAbnormalClosure() throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(Stack.HEDDLE, hearing);
    open.server().send(new byte[] {(byte) 0x81, 5, 'h'});
    assertEquals("text... h", hearing.next());
    open.server().close();
    assertEquals("close 1006 ", hearing.next());
  }

  @ParameterizedTest
  @EnumSource
  void aLostConnectionIsAnError(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    open.server().reset();
    assertEquals("error", hearing.next());
    assertInstanceOf(IOException.class, hearing.error);
    assertTrue(open.socket().isInputClosed());
    assertTrue(open.socket().isOutputClosed());
    if (stack == Stack.HEDDLE) { // The JDK's client does not always notice.
      failure(IOException.class, open.socket().sendText("x", true));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "83 00, 1002", // a reserved opcode
    "a1 00, 1002", // a reserved bit
    "c1 00, 1002", // compression, which was not agreed on
    "80 00, 1002", // a continuation of no message
    "01 00 81 00, 1002", // a message within another
    "81 80 00 00 00 00, 1002", // a mask
    "89 7e 00 7e, 1002", // a long ping
    "88 01 03, 1002", // half a code
    "88 02 03 ed, 1002", // a code that is not sent
    "81 02 c3 28, 1007", // text that is not UTF-8
    "01 01 c3 80 01 28, 1007",
  })
  void aBrokenRuleIsAnError(String hex, int code) throws Exception {
    for (Stack stack : Stack.values()) {
      Hearing hearing = new Hearing();
      Open open = open(stack, hearing);
      open.server().send(HexFormat.of().parseHex(hex.replace(" ", "")));
      String next = hearing.next();
      while (next.startsWith("text")) {
        next = hearing.next(); // what came before
      }
      assertEquals("error", next);
      assertInstanceOf(ProtocolException.class, hearing.error);
      assertTrue(open.socket().isInputClosed());
      assertTrue(open.socket().isOutputClosed());
      if (stack == Stack.HEDDLE) { // The JDK's client sends it only if it is fast enough.
        assertEquals("8 " + code + " ", open.server().read().toString());
      }
      open.server().drain();
      world.client().shutdownNow();
    }
  }

  // ---- listeners that fail

  /** Fails in one of its methods. */
  private static final class Failing extends Hearing {
    private final String method;
    final RuntimeException thrown = new IllegalStateException("a test");

    Failing(String method) {
      this.method = method;
    }

    private void failIn(String current) {
      if (current.equals(method)) {
        throw thrown;
      }
    }

    @Override
    public void onOpen(WebSocket socket) {
      super.onOpen(socket);
      failIn("open");
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
      failIn("text");
      return super.onText(socket, text, last);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer bytes, boolean last) {
      failIn("binary");
      return super.onBinary(socket, bytes, last);
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer bytes) {
      failIn("ping");
      return super.onPing(socket, bytes);
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer bytes) {
      failIn("pong");
      return super.onPong(socket, bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "text", "binary", "ping", "pong"})
  void aListenerThatThrowsGetsItsException(String method) throws Exception {
    for (Stack stack : Stack.values()) {
      Failing failing = new Failing(method);
      Open open = open(stack, failing);
      try {
        open.server().send(HexFormat.of().parseHex("8100820089008a00"));
      } catch (SocketException e) {
        assertEquals("open", method); // The socket has failed before.
      }
      String next = failing.next();
      while (!next.equals("error")) {
        next = failing.next();
      }
      assertSame(failing.thrown, failing.error);
      assertTrue(open.socket().isInputClosed());
      assertTrue(open.socket().isOutputClosed());
      open.server().drain();
      world.client().shutdownNow();
    }
  }

  /** As the JDK's own client in fact does, against the Javadoc of {@link WebSocket.Listener}. */
  @ParameterizedTest
  @EnumSource
  void aStageThatFailsDoesNotEndTheSocket(Stack stack) throws Exception {
    Hearing hearing = new Hearing() {
      @Override
      public @Nullable CompletionStage<?> onText(
          WebSocket socket, CharSequence text, boolean last) {
        var ignored = super.onText(socket, text, last);
        return CompletableFuture.failedFuture(new IllegalStateException("a test"));
      }
    };
    Open open = open(stack, hearing);
    open.server().frame(0x81, "a");
    open.server().frame(0x81, "b");
    assertEquals("text a", hearing.next());
    assertEquals("text b", hearing.next());
  }

  // ---- the client

  @ParameterizedTest
  @EnumSource
  void aClientThatIsShutDownWaitsForItsSockets(Stack stack) throws Exception {
    Hearing hearing = new Hearing();
    Open open = open(stack, hearing);
    HttpClient of = world.client();
    of.shutdown();
    open.socket().sendText("still here", true).get();
    assertEquals("1 still here", open.server().read().toString());
    assertFalse(of.isTerminated());
    open.server().close(1000, "");
    assertEquals("close 1000 ", hearing.next());
    assertTrue(of.awaitTermination(Duration.ofSeconds(30)));
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatIsShutDownNowFailsItsSockets(Stack stack) throws Exception {
    failsWhenTheClientIsShutDownNow(stack, new Hearing());
  }

  /** The JDK's own client does not call the listener then. */
  @Test
  void aSocketOfWhichNothingIsRequestedFailsWithItsClient() throws Exception {
    failsWhenTheClientIsShutDownNow(Stack.HEDDLE, new Hearing(0));
  }

  private void failsWhenTheClientIsShutDownNow(Stack stack, Hearing hearing) throws Exception {
    Open open = open(stack, hearing);
    HttpClient of = world.client();
    of.shutdownNow();
    assertEquals("error", hearing.next());
    assertInstanceOf(IOException.class, hearing.error);
    assertTrue(of.awaitTermination(Duration.ofSeconds(30)));
    open.server().expectEnd();
  }
}
