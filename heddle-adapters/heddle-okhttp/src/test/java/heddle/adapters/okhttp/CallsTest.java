package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;
import okio.GzipSink;
import okio.Okio;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers and servers see of a call is the same over Heddle as over OkHttp itself. */
@Timeout(60)
class CallsTest {
  private static final MediaType TEXT = MediaType.get("text/plain; charset=utf-8");

  @AutoClose
  private final MockWebServer server = PromptServer.create();

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private static MockResponse.Builder answer(int code, String body) {
    return new MockResponse.Builder().code(code).body(body);
  }

  private void enqueue(MockResponse.Builder response) {
    server.enqueue(response.build());
  }

  private Request.Builder request(String path) {
    return new Request.Builder().url(server.url(path));
  }

  @ParameterizedTest
  @EnumSource
  void aGetBringsTheResponse(Stack stack) throws Exception {
    enqueue(answer(200, "hello").addHeader("X-Many", "one").addHeader("X-Many", "two"));
    try (Stack.Running running = stack.start();
        Response response = running.get(server.url("/a%20b?q=1%7C2&r=%"))) {
      assertEquals(200, response.code());
      assertEquals("OK", response.message());
      assertEquals(Protocol.HTTP_1_1, response.protocol());
      assertEquals(List.of("one", "two"), response.headers("x-many"));
      assertEquals(5, response.body().contentLength());
      assertNull(response.body().contentType());
      assertEquals("hello", response.body().string());
      assertNull(response.handshake());
      assertNotNull(response.networkResponse());
      assertNull(response.cacheResponse());
      assertNull(response.priorResponse());
      assertTrue(response.sentRequestAtMillis() > 0);
      assertTrue(response.receivedResponseAtMillis() >= response.sentRequestAtMillis());
    }
    RecordedRequest got = server.takeRequest();
    assertEquals("GET", got.getMethod());
    assertTrue(got.getTarget().startsWith("/a%20b?q=1%7C2&r=%"), got.getTarget());
  }

  @ParameterizedTest
  @EnumSource
  void theFieldsThatAreSentAreTheSame(Stack stack) throws Exception {
    enqueue(answer(200, ""));
    enqueue(answer(200, ""));
    try (Stack.Running running = stack.start()) {
      RequestBody body = RequestBody.create("héllo", TEXT);
      running.client().newCall(request("/").post(body).build()).execute().close();
      running.client().newCall(request("/").build()).execute().close();
    }
    Headers post = server.takeRequest().getHeaders();
    assertEquals(
        List.of("text/plain; charset=utf-8", "6", "gzip", "okhttp/5.5.1", "Keep-Alive"),
        List.of("Content-Type", "Content-Length", "Accept-Encoding", "User-Agent", "Connection")
            .stream()
            .map(post::get)
            .toList());
    assertEquals(server.getHostName() + ":" + server.getPort(), post.get("Host"));
    assertEquals(6, post.size());
    assertEquals(4, server.takeRequest().getHeaders().size());
  }

  @ParameterizedTest
  @EnumSource
  void fieldsOfOtherLettersGoBothWays(Stack stack) throws Exception {
    enqueue(answer(200, "")
        .headers(new Headers.Builder().addUnsafeNonAscii("X-City", "Zürich").build()));
    Headers own = new Headers.Builder().addUnsafeNonAscii("X-Own", "Genève").build();
    try (Stack.Running running = stack.start();
        Response response =
            running.client().newCall(request("/").headers(own).build()).execute()) {
      assertEquals("Zürich", response.header("X-City"));
    }
    assertEquals("Genève", server.takeRequest().getHeaders().get("X-Own"));
  }

  @ParameterizedTest
  @EnumSource
  void contentThatIsGzippedIsReadPlain(Stack stack) throws Exception {
    Buffer zipped = new Buffer();
    try (var sink = Okio.buffer(new GzipSink(zipped))) {
      sink.writeUtf8("squeezed");
    }
    enqueue(new MockResponse.Builder().body(zipped).addHeader("Content-Encoding", "gzip"));
    try (Stack.Running running = stack.start();
        Response response = running.get(server.url("/"))) {
      assertEquals("squeezed", response.body().string());
      assertNull(response.header("Content-Encoding"));
      assertNull(response.header("Content-Length"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPhraseIsTheServers(Stack stack) throws Exception {
    enqueue(answer(404, "no").status("HTTP/1.1 404 Client Error"));
    try (Stack.Running running = stack.start();
        Response response = running.get(server.url("/"))) {
      assertEquals("Client Error", response.message());
      assertEquals("no", response.body().string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void chunkedContentHasTrailers(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder()
        .chunkedBody("one two three", 4)
        .trailers(Headers.of("X-Sum", "13")));
    try (Stack.Running running = stack.start();
        Response response = running.get(server.url("/"))) {
      assertEquals(-1, response.body().contentLength());
      assertNull(response.peekTrailers());
      assertEquals("one two three", response.body().string());
      assertEquals("13", response.trailers().get("X-Sum"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void trailersCanBeRequestedBeforeTheContentWasRead(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder()
        .chunkedBody("one two three", 4)
        .trailers(Headers.of("X-Sum", "13")));
    try (Stack.Running running = stack.start();
        Response response = running.get(server.url("/"))) {
      assertEquals("13", response.trailers().get("X-Sum"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aHeadHasNoContent(Stack stack) throws Exception {
    enqueue(new MockResponse.Builder().setHeader("Content-Length", "100"));
    try (Stack.Running running = stack.start();
        Response response =
            running.client().newCall(request("/").head().build()).execute()) {
      assertEquals("100", response.header("Content-Length"));
      assertEquals(0, response.body().contentLength());
      assertEquals("", response.body().string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void cookiesAreTheJars(Stack stack) throws Exception {
    enqueue(answer(200, "").addHeader("Set-Cookie", "a=b"));
    enqueue(answer(200, ""));
    List<Cookie> jar = new ArrayList<>();
    CookieJar cookies = new CookieJar() {
      @Override
      public void saveFromResponse(HttpUrl url, List<Cookie> received) {
        jar.addAll(received);
      }

      @Override
      public List<Cookie> loadForRequest(HttpUrl url) {
        return List.copyOf(jar);
      }
    };
    try (Stack.Running running = stack.over(new OkHttpClient.Builder().cookieJar(cookies))) {
      running.get(server.url("/")).close();
      running.get(server.url("/")).close();
    }
    assertNull(server.takeRequest().getHeaders().get("Cookie"));
    assertEquals("a=b", server.takeRequest().getHeaders().get("Cookie"));
  }

  @ParameterizedTest
  @EnumSource
  void anEnqueuedCallGoesThroughTheDispatcher(Stack stack) throws Exception {
    enqueue(answer(200, "later"));
    CompletableFuture<String> body = new CompletableFuture<>();
    try (Stack.Running running = stack.start()) {
      Call call =
          running.client().newCall(request("/").tag(String.class, "tagged").build());
      assertEquals("tagged", call.tag(String.class));
      assertFalse(call.isExecuted());
      call.enqueue(new Callback() {
        @Override
        public void onFailure(Call failed, IOException e) {
          body.completeExceptionally(e);
        }

        @Override
        public void onResponse(Call answered, Response response) throws IOException {
          assertTrue(running.client().dispatcher().runningCalls().contains(answered));
          body.complete(response.body().string());
        }
      });
      assertTrue(call.isExecuted());
      assertEquals("later", body.get());
      assertThrows(IllegalStateException.class, call::execute);
      enqueue(answer(200, "again"));
      try (Response again = call.clone().execute()) {
        assertEquals("again", again.body().string());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void interceptorsOfBothKindsSeeTheCall(Stack stack) throws Exception {
    enqueue(answer(302, "").addHeader("Location", "/there"));
    enqueue(answer(200, "there"));
    List<String> seen = new ArrayList<>();
    OkHttpClient.Builder builder = new OkHttpClient.Builder()
        .addInterceptor(chain -> {
          assertNull(chain.connection());
          seen.add("app " + chain.request().url().encodedPath());
          Request more = chain.request().newBuilder().header("X-App", "1").build();
          return chain.proceed(more).newBuilder().header("X-Seen", "yes").build();
        })
        .addNetworkInterceptor(chain -> {
          assertNotNull(chain.connection());
          seen.add("net " + chain.request().url().encodedPath());
          assertEquals("gzip", chain.request().header("Accept-Encoding"));
          Request more = chain.request().newBuilder().header("X-Net", "2").build();
          Response response = chain.proceed(more);
          assertEquals(Protocol.HTTP_1_1, chain.connection().protocol());
          assertEquals(
              server.getPort(), chain.connection().route().socketAddress().getPort());
          return response;
        });
    try (Stack.Running running = stack.over(builder);
        Response response = running.get(server.url("/here"))) {
      assertEquals("yes", response.header("X-Seen"));
      assertEquals("there", response.body().string());
      assertNull(response.request().header("X-Net"));
    }
    assertEquals(List.of("app /here", "net /here", "net /there"), seen);
    Headers sent = server.takeRequest().getHeaders();
    assertEquals("1", sent.get("X-App"));
    assertEquals("2", sent.get("X-Net"));
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerOfAnInterceptorIsTheAnswer(Stack stack) throws Exception {
    OkHttpClient.Builder builder = new OkHttpClient.Builder()
        .addInterceptor(chain -> new Response.Builder()
            .request(chain.request())
            .protocol(Protocol.HTTP_2)
            .code(418)
            .message("short")
            .build());
    try (Stack.Running running = stack.over(builder);
        Response response = running.get(server.url("/"))) {
      assertEquals(418, response.code());
    }
    assertEquals(0, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource
  void aNetworkInterceptorMustProceedOnce(Stack stack) throws Exception {
    enqueue(answer(200, "one"));
    OkHttpClient.Builder builder = new OkHttpClient.Builder().addNetworkInterceptor(chain -> {
      chain.proceed(chain.request()).close();
      return chain.proceed(chain.request());
    });
    try (Stack.Running running = stack.over(builder)) {
      IllegalStateException twice =
          assertThrows(IllegalStateException.class, () -> running.get(server.url("/")));
      assertTrue(
          String.valueOf(twice.getMessage()).endsWith("must call proceed() exactly once"),
          twice::toString);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterceptorMayAskAgainOnceTheFirstAnswerIsClosed(Stack stack) throws Exception {
    enqueue(answer(500, "first"));
    enqueue(answer(200, "second"));
    OkHttpClient.Builder builder = new OkHttpClient.Builder().addInterceptor(chain -> {
      Response first = chain.proceed(chain.request());
      assertThrows(IllegalStateException.class, () -> chain.proceed(chain.request()));
      first.close();
      return chain.proceed(chain.request());
    });
    try (Stack.Running running = stack.over(builder);
        Response response = running.get(server.url("/"))) {
      assertEquals("second", response.body().string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void tagsOfACallLastAsLongAsTheCall(Stack stack) throws Exception {
    enqueue(answer(200, ""));
    List<Object> seen = new ArrayList<>();
    OkHttpClient.Builder builder = new OkHttpClient.Builder().addNetworkInterceptor(chain -> {
      seen.add(chain.call().tag(Integer.class, () -> 7));
      return chain.proceed(chain.request());
    });
    try (Stack.Running running = stack.over(builder)) {
      Call call = running.client().newCall(request("/").build());
      call.execute().close();
      assertSame(seen.getFirst(), call.tag(Integer.class));
    }
  }
}
