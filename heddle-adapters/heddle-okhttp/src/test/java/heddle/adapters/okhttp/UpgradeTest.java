package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSink;
import okio.BufferedSource;
import okio.Okio;
import okio.Socket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that offer the server another protocol. */
@Timeout(60)
class UpgradeTest {
  private static final String SWITCHING =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";

  private static Request.Builder offer(ScriptedPeer peer) {
    return new Request.Builder()
        .url(peer.url("/"))
        .header("Connection", "Upgrade")
        .header("Upgrade", "echo");
  }

  private static ScriptedPeer peer(ScriptedPeer.Script script) throws IOException {
    return ScriptedPeer.each(TcpNetwork.shared(), script);
  }

  private static Socket socket(Response response) {
    assertEquals(101, response.code());
    Socket socket = response.socket();
    assertNotNull(socket);
    return socket;
  }

  private static void echo(RawConnection c) throws IOException {
    c.expectHead();
    c.send(SWITCHING + "hello");
    c.expect("how are you?");
    c.send("well");
    c.expectEnd();
  }

  @ParameterizedTest
  @EnumSource
  void bytesGoBothWaysOnceTheServerHasSwitched(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(UpgradeTest::echo);
        Stack.Running running = stack.start()) {
      Response response = running.client().newCall(offer(peer).build()).execute();
      Socket socket = socket(response);
      BufferedSource source = Okio.buffer(socket.getSource());
      BufferedSink sink = Okio.buffer(socket.getSink());
      assertEquals("hello", source.readUtf8(5));
      sink.writeUtf8("how are you?").flush();
      assertEquals("well", source.readUtf8(4));
      response.close(); // which has no content
      sink.close();
      source.close();
      assertThrows(IllegalStateException.class, () -> socket.getSink().write(new Buffer(), 0));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void eventsAreThoseOfOkHttp(Stack stack) throws Exception {
    assertEquals(events(Stack.STOCK), events(stack));
  }

  private static List<String> events(Stack stack) throws Exception {
    Diary diary = new Diary();
    try (ScriptedPeer peer = peer(UpgradeTest::echo);
        Stack.Running running = stack.over(new OkHttpClient.Builder().eventListener(diary))) {
      Socket socket = socket(running.client().newCall(offer(peer).build()).execute());
      BufferedSource source = Okio.buffer(socket.getSource());
      BufferedSink sink = Okio.buffer(socket.getSink());
      source.readUtf8(5);
      sink.writeUtf8("how are you?").flush();
      source.readUtf8(4);
      source.close();
      sink.close();
      diary.await("callEnd");
    }
    return diary.entries;
  }

  @ParameterizedTest
  @EnumSource
  void contentPrecedesTheOtherProtocol(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(c -> {
          String head = c.expectHead();
          assertTrue(head.startsWith("POST "), head);
          c.expect("content");
          c.send(SWITCHING + "hello");
          c.expectEnd();
        });
        Stack.Running running = stack.start()) {
      Request request = offer(peer).post(RequestBody.create("content", null)).build();
      Socket socket = socket(running.client().newCall(request).execute());
      assertEquals("hello", Okio.buffer(socket.getSource()).readUtf8(5));
      socket.cancel();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherAnswerIsAnOrdinaryResponse(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(c -> {
          for (int i = 0; i < 2; i++) {
            c.expectHead();
            c.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno");
          }
          c.expectEnd();
        });
        Stack.Running running = stack.start()) {
      for (int i = 0; i < 2; i++) {
        try (Response response = running.client().newCall(offer(peer).build()).execute()) {
          assertNull(response.socket());
          assertEquals("no", response.body().string());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void offerIsOmittedOverHttp2(Stack stack) throws Exception {
    OkHttpClient.Builder client =
        new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
    try (ScriptedPeer peer = peer(Http2Peer.server(h2 -> {
          h2.handshake();
          Http2Head head = h2.expectHeaders();
          assertNull(head.value("upgrade"));
          assertNull(head.value("connection"));
          h2.sendResponse(head.streamId(), 200, "ordinary");
          h2.connection().drain();
        }));
        Stack.Running running = stack.over(client);
        Response response = running.client().newCall(offer(peer).build()).execute()) {
      assertEquals("ordinary", response.body().string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancellingTheCallFailsTheReader(Stack stack) throws Exception {
    CompletableFuture<String> ended = new CompletableFuture<>();
    try (ScriptedPeer peer = peer(c -> {
          c.expectHead();
          c.send(SWITCHING);
          c.expectEnd();
          ended.complete("ended");
        });
        Stack.Running running = stack.start()) {
      Call call = running.client().newCall(offer(peer).build());
      BufferedSource source = Okio.buffer(socket(call.execute()).getSource());
      CompletableFuture<Void> cancelled = CompletableFuture.runAsync(call::cancel);
      assertThrows(IOException.class, source::readByte);
      cancelled.get();
      assertEquals("ended", ended.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void socketOutlivesTheCallTimeout(Stack stack) throws Exception {
    Duration limit = Duration.ofSeconds(1);
    try (ScriptedPeer peer = peer(c -> {
          c.expectHead();
          c.send(SWITCHING);
          c.sleep(limit.multipliedBy(2));
          c.send("late");
          c.expectEnd();
        });
        Stack.Running running = stack.over(new OkHttpClient.Builder().callTimeout(limit))) {
      Socket socket = socket(running.client().newCall(offer(peer).build()).execute());
      assertEquals("late", Okio.buffer(socket.getSource()).readUtf8(4));
      socket.cancel();
    }
  }
}
