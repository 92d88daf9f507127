package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Connection;
import okhttp3.EventListener;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An event listener gets the same events over Heddle as over OkHttp, in the same order. */
@Timeout(60)
class EventsTest {
  private static final List<String> OPENING = List.of(
      "proxySelectStart",
      "proxySelectEnd [DIRECT]",
      "dnsStart localhost",
      "dnsEnd localhost",
      "connectStart DIRECT",
      "connectEnd http/1.1");
  private static final List<String> ASKING =
      List.of("connectionAcquired http/1.1", "requestHeadersStart", "requestHeadersEnd");
  private static final List<String> ANSWERED = List.of("responseHeadersStart");

  @AutoClose
  private final MockWebServer server = PromptServer.create();

  private final Diary diary = new Diary();

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private Stack.Running start(Stack stack) {
    return stack.over(new OkHttpClient.Builder().eventListener(diary));
  }

  private void enqueue(MockResponse.Builder response) {
    server.enqueue(response.build());
  }

  private Request.Builder request(String path) {
    return new Request.Builder()
        .url(server.url(path).newBuilder().host("localhost").build());
  }

  private static List<String> all(List<List<String>> parts) {
    return parts.stream().flatMap(List::stream).toList();
  }

  @ParameterizedTest
  @EnumSource
  void aCallOpensAConnectionAndTheNextUsesIt(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().body("four"));
    enqueue(new MockResponse.Builder().body(""));
    try (Stack.Running running = start(stack)) {
      try (Response response = running.client().newCall(request("/").build()).execute()) {
        assertFalse(diary.entries.contains("callEnd"), diary.entries::toString);
        assertEquals("four", response.body().string());
      }
      assertEquals(
          all(List.of(
              List.of("callStart"),
              OPENING,
              ASKING,
              ANSWERED,
              List.of(
                  "responseHeadersEnd 200",
                  "followUpDecision 200 -",
                  "responseBodyStart",
                  "responseBodyEnd 4",
                  "connectionReleased",
                  "callEnd"))),
          diary.without("cacheMiss"));
      diary.entries.clear();
      running.client().newCall(request("/").build()).execute().close();
      assertEquals(
          all(List.of(
              List.of("callStart"),
              ASKING,
              ANSWERED,
              List.of(
                  "responseHeadersEnd 200",
                  "responseBodyStart",
                  "responseBodyEnd 0",
                  "followUpDecision 200 -",
                  "connectionReleased",
                  "callEnd"))),
          diary.without("cacheMiss"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void sentContentIsReported(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().body("four"));
    RequestBody body = RequestBody.create("text", MediaType.get("text/plain"));
    try (Stack.Running running = start(stack);
        Response response =
            running.client().newCall(request("/").post(body).build()).execute()) {
      List<String> told = diary.entries;
      int at = told.indexOf("requestHeadersEnd");
      assertEquals(
          List.of("requestBodyStart", "requestBodyEnd 4", "responseHeadersStart"),
          told.subList(at + 1, at + 4));
      assertEquals("four", response.body().string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRedirectKeepsItsConnection(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().code(302).body("away").addHeader("Location", "/b"));
    enqueue(new MockResponse.Builder().body("four"));
    try (Stack.Running running = start(stack);
        Response response = running.client().newCall(request("/").build()).execute()) {
      assertEquals("four", response.body().string());
    }
    assertEquals(
        all(List.of(
            List.of("callStart"),
            OPENING,
            ASKING,
            ANSWERED,
            List.of(
                "responseHeadersEnd 302",
                "responseBodyStart",
                "responseBodyEnd 0",
                "followUpDecision 302 /b",
                "requestHeadersStart",
                "requestHeadersEnd",
                "responseHeadersStart",
                "responseHeadersEnd 200",
                "followUpDecision 200 -",
                "responseBodyStart",
                "responseBodyEnd 4",
                "connectionReleased",
                "callEnd"))),
        diary.entries);
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatIsClosedUnreadEndsTheCall(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().body("four"));
    try (Stack.Running running = start(stack)) {
      running.client().newCall(request("/").build()).execute().close();
    }
    assertEquals(
        List.of(
            "responseHeadersEnd 200",
            "followUpDecision 200 -",
            "responseBodyStart",
            "responseBodyEnd 0",
            "connectionReleased",
            "callEnd"),
        diary.from("responseHeadersEnd 200"));
  }

  @ParameterizedTest
  @EnumSource
  void aHostThatIsUnknownFailsTheCall(Stack stack) throws Exception {
    OkHttpClient.Builder builder = new OkHttpClient.Builder().eventListener(diary);
    Request unknown = new Request.Builder().url("http://no-such-host.invalid/").build();
    try (Stack.Running running = stack.over(builder)) {
      assertThrows(IOException.class, () -> running.client().newCall(unknown).execute());
    }
    assertEquals(
        List.of(
            "callStart",
            "proxySelectStart",
            "proxySelectEnd [DIRECT]",
            "dnsStart no-such-host.invalid",
            "retryDecision UnknownHostException false",
            "callFailed UnknownHostException"),
        diary.entries);
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionThatIsRefusedFailsTheCall(Stack stack) throws Exception {
    Request request = request("/").build();
    server.close();
    try (Stack.Running running = stack.over(
        new OkHttpClient.Builder().eventListener(diary).retryOnConnectionFailure(true))) {
      assertThrows(IOException.class, () -> running.client().newCall(request).execute());
    }
    assertEquals("callFailed ConnectException", diary.entries.getLast());
    assertTrue(diary.entries.contains("connectFailed ConnectException"), diary.entries::toString);
  }

  @ParameterizedTest
  @EnumSource
  void anEnqueuedCallReportsItsEndAfterItsBody(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().body("four"));
    CompletableFuture<Response> answer = new CompletableFuture<>();
    try (Stack.Running running = start(stack)) {
      running.client().newCall(request("/").build()).enqueue(new Callback() {
        @Override
        public void onFailure(Call call, IOException e) {
          answer.completeExceptionally(e);
        }

        @Override
        public void onResponse(Call call, Response response) {
          answer.complete(response);
        }
      });
      assertEquals("four", answer.get().body().string());
    }
    assertEquals(
        all(List.of(List.of("callStart"), OPENING, ASKING, ANSWERED)),
        diary.entries.subList(0, 11));
    assertEquals("callEnd", diary.entries.getLast());
  }

  @ParameterizedTest
  @EnumSource
  void aListenerOfOneCallGetsTheSameEvents(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().body("four"));
    try (Stack.Running running = stack.start()) {
      Call call = running.client().newCall(request("/").build());
      call.addEventListener(diary);
      try (Response response = call.execute()) {
        assertEquals("four", response.body().string());
      }
    }
    assertEquals(17, diary.entries.size(), diary.entries::toString);
    assertEquals("callEnd", diary.entries.getLast());
  }

  @ParameterizedTest
  @EnumSource
  void aCancelIsReportedOnce(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().body("four"));
    try (Stack.Running running = start(stack)) {
      Call call = running.client().newCall(request("/").build());
      call.cancel();
      assertThrows(IOException.class, call::execute);
      call.cancel();
    }
    assertEquals(List.of("canceled", "callStart", "callFailed IOException"), diary.entries);
  }

  @ParameterizedTest
  @EnumSource
  void listenerNoneIsNoListener(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().body("four"));
    try (Stack.Running running =
            stack.over(new OkHttpClient.Builder().eventListener(EventListener.NONE));
        Response response = running.client().newCall(request("/").build()).execute()) {
      assertEquals("four", response.body().string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRepeatedRequestIsReportedEachTime(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().body("one"));
    enqueue(new MockResponse.Builder()
        .onResponseStart(new SocketEffect.CloseSocket(true, false, false)));
    enqueue(new MockResponse.Builder().body("two"));
    try (Stack.Running running = start(stack)) {
      for (String body : List.of("one", "two")) {
        try (Response response = running.client().newCall(request("/").build()).execute()) {
          assertEquals(body, response.body().string());
        }
      }
    }
    int second = diary.entries.lastIndexOf("callStart");
    assertEquals(
        List.of(
            "connectionAcquired http/1.1",
            "responseFailed",
            "retryDecision true",
            "connectionReleased",
            "connectionAcquired http/1.1",
            "responseHeadersEnd 200",
            "connectionReleased",
            "callEnd"),
        diary.entries.stream()
            .skip(second)
            // A connection that is closed may be reset too.
            .map(each -> each.replaceFirst(" (Socket|IO)Exception", ""))
            .filter(each -> each.startsWith("connection")
                || each.endsWith("Failed")
                || each.startsWith("retryDecision")
                || each.startsWith("responseHeadersEnd")
                || each.equals("callEnd"))
            .toList());
  }

  /** Also as network interceptors see it, once they have proceeded. */
  @ParameterizedTest
  @EnumSource
  void callsOverOneConnectionReportTheSameOne(Stack stack) throws Exception {
    List<Connection> seen = new CopyOnWriteArrayList<>();
    OkHttpClient.Builder builder = new OkHttpClient.Builder()
        .addNetworkInterceptor(chain -> {
          Response response = chain.proceed(chain.request());
          seen.add(Objects.requireNonNull(chain.connection()));
          return response;
        })
        .eventListener(new EventListener() {
          @Override
          public void connectionAcquired(Call call, Connection connection) {
            seen.add(connection);
          }
        });
    try (Stack.Running running = stack.over(builder)) {
      for (int i = 0; i < 2; i++) {
        enqueue(new MockResponse.Builder().body("four"));
        running.client().newCall(request("/").build()).execute().close();
      }
      enqueue(new MockResponse.Builder().body("last").addHeader("Connection", "close"));
      running.client().newCall(request("/").build()).execute().close();
      enqueue(new MockResponse.Builder().body("four"));
      running.client().newCall(request("/").build()).execute().close();
    }
    assertEquals(8, seen.size());
    for (Connection each : seen.subList(1, 6)) {
      assertSame(seen.getFirst(), each);
    }
    assertNotSame(seen.getFirst(), seen.get(6));
    assertSame(seen.get(6), seen.get(7));
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void anAnswerBeforeTheEndOfTheContentFailsTheRequestAlone(Stack stack) throws Exception {
    RequestBody endless = new WrittenBody(-1, sink -> {
      while (true) {
        sink.write(new byte[8192]).flush();
      }
    });
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 413 Too much\r\nContent-Length: 2\r\n\r\nno");
      connection.drain();
    };
    ScriptedPeer.visit(script, peer -> {
      Request request = new Request.Builder().url(peer.url("/")).post(endless).build();
      try (Stack.Running running = start(stack);
          Response response = running.client().newCall(request).execute()) {
        assertEquals(413, response.code());
        assertEquals("no", response.body().string());
      }
    });
    assertEquals(
        List.of(
            "requestBodyStart",
            "requestFailed IOException",
            "responseHeadersStart",
            "responseHeadersEnd 413",
            "followUpDecision 413 -",
            "responseBodyStart",
            "responseBodyEnd 2",
            "connectionReleased",
            "callEnd"),
        diary.from("requestBodyStart"));
  }
}
