package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Settings;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.internal.http2.StreamResetException;
import okio.BufferedSink;
import okio.BufferedSource;
import okio.Okio;
import okio.Socket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls whose content is written while, and after, their response is read. */
@Timeout(60)
class DuplexTest {
  /** A duplex body that keeps its sink. */
  private static class Written extends WrittenBody {
    private final CompletableFuture<BufferedSink> sink;

    Written() {
      this(new CompletableFuture<>());
    }

    private Written(CompletableFuture<BufferedSink> sink) {
      super(-1, sink::complete);
      this.sink = sink;
    }

    @Override
    public boolean isDuplex() {
      return true;
    }

    /** There once the call has a response. */
    BufferedSink sink() {
      return sink.getNow(null);
    }
  }

  private static Stack.Running start(Stack stack, OkHttpClient.Builder client) {
    return stack.over(client.protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE)));
  }

  private static Stack.Running start(Stack stack) {
    return start(stack, new OkHttpClient.Builder());
  }

  private static ScriptedPeer peer(Http2Peer.Script script) throws IOException {
    return ScriptedPeer.each(TcpNetwork.shared(), Http2Peer.server(script));
  }

  private static Call call(Stack.Running running, ScriptedPeer peer, WrittenBody body) {
    return running
        .client()
        .newCall(new Request.Builder().url(peer.url("/")).post(body).build());
  }

  private static String data(Http2Peer h2, int stream) throws IOException {
    return StandardCharsets.US_ASCII.decode(h2.expectData(stream).data()).toString();
  }

  /** Ends the content, in a frame by itself or with the last bytes. */
  private static void expectEnd(Http2Peer h2, int stream) throws IOException {
    assertTrue(h2.expectData(stream).endStream());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void conversationGoesBackAndForth(Stack stack) throws Exception {
    try (MockWebServer server = PromptServer.create()) {
      server.setProtocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
      server.start();
      server.enqueue(new MockResponse.Builder()
          .clearHeaders()
          .socketHandler(DuplexTest::echoLines)
          .build());
      Written body = new Written();
      Request request = new Request.Builder().url(server.url("/")).post(body).build();
      try (Stack.Running running = start(stack);
          Response response = running.client().newCall(request).execute()) {
        BufferedSource source = response.body().source();
        for (int i = 0; i < 3; i++) {
          body.sink().writeUtf8("line " + i + "\n").flush();
          assertEquals("line " + i, source.readUtf8Line());
        }
        int count = running.client().connectionPool().connectionCount();
        assertEquals(stack == Stack.STOCK ? 1 : 0, count);
        body.sink().close();
        assertTrue(source.exhausted());
      }
    }
  }

  private static void echoLines(Socket socket) {
    try (BufferedSource source = Okio.buffer(socket.getSource());
        BufferedSink sink = Okio.buffer(socket.getSink())) {
      for (String line = source.readUtf8Line(); line != null; line = source.readUtf8Line()) {
        sink.writeUtf8(line + "\n").flush();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void programWritesOnAfterTheResponseHasEnded(Stack stack) throws Exception {
    CompletableFuture<String> received = new CompletableFuture<>();
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendResponse(stream, 200, "at once");
          received.complete(data(h2, stream));
          expectEnd(h2, stream);
          h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
          h2.connection().drain();
        });
        Stack.Running running = start(stack)) {
      Written body = new Written();
      try (Response response = call(running, peer, body).execute()) {
        assertEquals("at once", response.body().string());
      }
      body.sink().writeUtf8("more").flush();
      assertEquals("more", received.get());
      body.sink().close();
      try (Response another = running.get(HttpUrl.get(peer.url("/")))) {
        assertEquals("another", another.body().string());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eventsAreThoseOfOkHttp(boolean responseFirst) throws Exception {
    List<String> expected = events(Stack.STOCK, responseFirst);
    assertEquals(expected, events(Stack.FACTORY, responseFirst));
    assertEquals(expected, events(Stack.INTERCEPTOR, responseFirst));
  }

  private static List<String> events(Stack stack, boolean responseFirst) throws Exception {
    Diary diary = new Diary();
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendHeaders(stream, false, ":status: 200");
          if (responseFirst) {
            h2.sendData(stream, true, "answer");
          }
          assertEquals("more", data(h2, stream));
          expectEnd(h2, stream);
          if (!responseFirst) {
            h2.sendData(stream, true, "answer");
          }
          h2.connection().drain();
        });
        Stack.Running running = start(stack, new OkHttpClient.Builder().eventListener(diary))) {
      Written body = new Written();
      Response response = call(running, peer, body).execute();
      if (responseFirst) {
        assertEquals("answer", response.body().string());
      }
      body.sink().writeUtf8("more").flush();
      body.sink().close();
      if (!responseFirst) {
        assertEquals("answer", response.body().string());
      }
      diary.await("callEnd");
    }
    return diary.entries;
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void responseWithoutContentIsThereBeforeTheServerEndsIt(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendHeaders(stream, false, ":status: 200", "content-length: 0");
          assertEquals("more", data(h2, stream));
          h2.sendData(stream, true, "");
          h2.connection().drain();
        });
        Stack.Running running = start(stack)) {
      Written body = new Written();
      try (Response response = call(running, peer, body).execute()) {
        body.sink().writeUtf8("more");
        body.sink().close();
        assertEquals("", response.body().string());
      }
    }
  }

  // ---- the end

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void cancellingFailsReaderAndWriter(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendHeaders(stream, false, ":status: 200");
          h2.connection().drain();
        });
        Stack.Running running = start(stack)) {
      Written body = new Written();
      Call call = call(running, peer, body);
      try (Response response = call.execute()) {
        CompletableFuture<Void> cancelled = CompletableFuture.runAsync(call::cancel);
        assertThrows(StreamResetException.class, response.body().source()::readByte);
        cancelled.get();
        assertThrows(IOException.class, () -> body.sink().writeUtf8("more").flush());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void cancellingResetsTheStreamAfterTheResponseHasEnded(Stack stack) throws Exception {
    CompletableFuture<String> reset = new CompletableFuture<>();
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendResponse(stream, 200, "at once");
          h2.expectRst(stream, ErrorCode.CANCEL);
          reset.complete("reset");
          h2.connection().drain();
        });
        Stack.Running running = start(stack)) {
      Written body = new Written();
      Call call = call(running, peer, body);
      assertEquals("at once", call.execute().body().string());
      call.cancel();
      assertEquals("reset", reset.get());
      assertThrows(IOException.class, () -> body.sink().writeUtf8("more").flush());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void serverThatNeedsNoMoreFailsTheWriter(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendResponse(stream, 200, "enough");
          h2.sendRst(stream, ErrorCode.NO_ERROR);
          h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
          h2.connection().drain();
        });
        Stack.Running running = start(stack)) {
      Written body = new Written();
      assertEquals("enough", call(running, peer, body).execute().body().string());
      // Its response shows that the reset has arrived before.
      running.get(HttpUrl.get(peer.url("/"))).close();
      StreamResetException failure = assertThrows(
          StreamResetException.class, () -> body.sink().writeUtf8("more").flush());
      assertEquals(okhttp3.internal.http2.ErrorCode.NO_ERROR, failure.errorCode);
    }
  }

  /** OkHttp itself may also throw that it has reset the stream. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void windowThatIsNotOpenedFailsAtTheWriteTimeout(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake(Settings.INITIAL_WINDOW_SIZE, 1);
          h2.sendResponse(h2.expectHeaders().streamId(), 200, "The window is known.");
          int stream = h2.expectHeaders().streamId();
          h2.sendHeaders(stream, false, ":status: 200");
          assertEquals("m", data(h2, stream));
          h2.connection().drain();
        });
        Stack.Running running =
            start(stack, new OkHttpClient.Builder().writeTimeout(Duration.ofMillis(200)))) {
      running.get(HttpUrl.get(peer.url("/"))).close();
      Written body = new Written();
      try (Response response = call(running, peer, body).execute()) {
        assertThrows(
            SocketTimeoutException.class, () -> body.sink().writeUtf8("more").flush());
        assertThrows(StreamResetException.class, response.body().source()::readByte);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void callTimeoutHoldsUntilTheResponse(Stack stack) throws Exception {
    Duration limit = Duration.ofSeconds(1);
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendHeaders(stream, false, ":status: 200");
          h2.connection().sleep(limit.multipliedBy(2));
          h2.sendData(stream, true, "late");
          expectEnd(h2, stream);
          h2.expectHeaders();
          h2.connection().drain();
        });
        Stack.Running running = start(stack, new OkHttpClient.Builder().callTimeout(limit))) {
      Written body = new Written();
      try (Response response = call(running, peer, body).execute()) {
        assertEquals("late", response.body().string());
      }
      body.sink().close();
      IOException late =
          assertThrows(IOException.class, call(running, peer, new Written())::execute);
      assertEquals("timeout", late.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void whatTheBodyThrowsFailsTheCall(Stack stack) throws Exception {
    try (MockWebServer server = PromptServer.create();
        Stack.Running running = start(stack)) {
      server.setProtocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
      server.start();
      IOException own = new IOException("its own");
      WrittenBody body =
          new WrittenBody(-1, sink -> {
            throw own;
          }) {
            @Override
            public boolean isDuplex() {
              return true;
            }
          };
      Request request = new Request.Builder().url(server.url("/")).post(body).build();
      assertSame(own, assertThrows(IOException.class, running.client().newCall(request)::execute));
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionOfHttp11FailsTheCall(Stack stack) throws Exception {
    assertEquals(eventsOverHttp11(Stack.STOCK), eventsOverHttp11(stack));
  }

  private static List<String> eventsOverHttp11(Stack stack) throws Exception {
    Diary diary = new Diary();
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), c -> c.drain());
        Stack.Running running = stack.over(new OkHttpClient.Builder().eventListener(diary))) {
      Written body = new Written();
      ProtocolException refused =
          assertThrows(ProtocolException.class, call(running, peer, body)::execute);
      assertEquals("Duplex connections are not supported for HTTP/1", refused.getMessage());
      assertTrue(!body.sink.isDone());
    }
    return diary.entries;
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void contentOfAnotherLengthFailsTheWriter(Stack stack) throws Exception {
    try (ScriptedPeer peer = peer(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendHeaders(stream, false, ":status: 200");
          h2.connection().drain();
        });
        Stack.Running running = start(stack)) {
      CompletableFuture<BufferedSink> sink = new CompletableFuture<>();
      WrittenBody body = new WrittenBody(3, sink::complete) {
        @Override
        public boolean isDuplex() {
          return true;
        }
      };
      Call call = call(running, peer, body);
      try (Response response = call.execute()) {
        assertThrows(ProtocolException.class, () -> sink.get().writeUtf8("four").flush());
        assertEquals(200, response.code());
        call.cancel();
      }
    }
  }
}
