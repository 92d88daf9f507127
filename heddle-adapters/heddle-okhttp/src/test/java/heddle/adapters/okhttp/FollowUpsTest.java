package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Redirects, challenges and repetitions follow the rules of OkHttp. */
@Timeout(60)
class FollowUpsTest {
  @AutoClose
  private final MockWebServer server = PromptServer.create();

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private void enqueue(int code, String... fields) {
    MockResponse.Builder response = new MockResponse.Builder().code(code).body("code " + code);
    for (int i = 0; i < fields.length; i += 2) {
      response.addHeader(fields[i], fields[i + 1]);
    }
    server.enqueue(response.build());
  }

  private Request.Builder request() {
    return new Request.Builder().url(server.url("/asked"));
  }

  private static Response execute(Stack.Running running, Request.Builder request)
      throws IOException {
    return running.client().newCall(request.build()).execute();
  }

  static Stream<Arguments> redirects() {
    List<Arguments> all = new ArrayList<>();
    for (Stack stack : Stack.values()) {
      for (String method : List.of("GET", "POST", "PUT", "DELETE", "PROPFIND", "QUERY")) {
        for (int code : new int[] {300, 301, 302, 303, 307, 308}) {
          all.add(Arguments.of(stack, method, code, how(method, code)));
        }
      }
    }
    return all.stream();
  }

  /** What follows, as OkHttp itself does it: the stock stack is among those that are tested. */
  private static String how(String method, int code) {
    return switch (method) {
      case "GET" -> "GET ";
      case "PROPFIND" -> "PROPFIND text";
      case "QUERY" -> code == 303 ? "GET " : "QUERY text";
      default -> code == 307 || code == 308 ? method + " text" : "GET ";
    };
  }

  @ParameterizedTest
  @MethodSource("redirects")
  void aRedirectIsFollowedWithTheMethodThatItsStatusMeans(
      Stack stack, String method, int code, String follows) throws Exception {
    enqueue(code, "Location", "/found?x=y");
    enqueue(200);
    RequestBody body =
        method.equals("GET") ? null : RequestBody.create("text", MediaType.get("text/plain"));
    try (Stack.Running running = stack.start();
        Response response = execute(running, request().method(method, body))) {
      assertEquals("code 200", response.body().string());
      assertEquals("/found", response.request().url().encodedPath());
      Response prior = response.priorResponse();
      assertNotNull(prior);
      assertEquals(code, prior.code());
      assertThrows(IllegalStateException.class, () -> prior.body().string());
    }
    server.takeRequest();
    RecordedRequest followed = server.takeRequest();
    assertEquals("/found?x=y", followed.getTarget());
    var content = followed.getBody();
    assertEquals(follows, followed.getMethod() + " " + (content == null ? "" : content.utf8()));
    String type = followed.getHeaders().get("Content-Type");
    assertEquals(follows.endsWith(" text"), type != null, "Content-Type " + type);
  }

  @ParameterizedTest
  @EnumSource
  void aRedirectThatLeadsNowhereIsTheAnswer(Stack stack) throws Exception {
    enqueue(302);
    enqueue(302, "Location", "ftp://elsewhere/");
    enqueue(302, "Location", "/found");
    try (Stack.Running running = stack.start();
        Stack.Running stays = stack.over(new OkHttpClient.Builder().followRedirects(false))) {
      for (Stack.Running each : List.of(running, running, stays)) {
        try (Response response = execute(each, request())) {
          assertEquals(302, response.code());
          assertEquals("code 302", response.body().string());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void twentyRedirectsAreFollowedAndNotOneMore(Stack stack) throws Exception {
    for (int i = 0; i < 21; i++) {
      enqueue(302, "Location", "/" + i);
    }
    try (Stack.Running running = stack.start()) {
      ProtocolException tooMany = assertThrows(
          ProtocolException.class, () -> execute(running, request()).close());
      assertEquals("Too many follow-up requests: 21", tooMany.getMessage());
    }
    assertEquals(21, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource
  void credentialsStayWithTheirOrigin(Stack stack) throws Exception {
    try (MockWebServer other = PromptServer.create()) {
      other.start();
      other.enqueue(new MockResponse.Builder().body("other").build());
      enqueue(302, "Location", "/same");
      enqueue(302, "Location", other.url("/other").toString());
      try (Stack.Running running = stack.start();
          Response response = execute(running, request().header("Authorization", "secret"))) {
        assertEquals("other", response.body().string());
      }
      server.takeRequest();
      assertEquals("secret", server.takeRequest().getHeaders().get("Authorization"));
      assertNull(other.takeRequest().getHeaders().get("Authorization"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aChallengeIsAnsweredByTheAuthenticator(Stack stack) throws Exception {
    enqueue(401, "WWW-Authenticate", "Basic realm=\"r\"");
    enqueue(200);
    OkHttpClient.Builder builder = new OkHttpClient.Builder().authenticator((route, response) -> {
      assertNotNull(route);
      assertEquals(server.getPort(), route.socketAddress().getPort());
      assertEquals("Basic", response.challenges().getFirst().scheme());
      return response
          .request()
          .newBuilder()
          .header("Authorization", Credentials.basic("a", "b"))
          .build();
    });
    try (Stack.Running running = stack.over(builder);
        Response response = execute(running, request())) {
      assertEquals(200, response.code());
    }
    server.takeRequest();
    assertEquals("Basic YTpi", server.takeRequest().getHeaders().get("Authorization"));
  }

  @ParameterizedTest
  @EnumSource
  void aChallengeWithoutAuthenticatorIsTheAnswer(Stack stack) throws Exception {
    enqueue(401, "WWW-Authenticate", "Basic realm=\"r\"");
    try (Stack.Running running = stack.start();
        Response response = execute(running, request())) {
      assertEquals(401, response.code());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aProxysChallengeWithoutProxyIsAFailure(Stack stack) throws Exception {
    enqueue(407, "Proxy-Authenticate", "Basic realm=\"r\"");
    try (Stack.Running running = stack.start()) {
      ProtocolException failure = assertThrows(
          ProtocolException.class, () -> execute(running, request()).close());
      assertTrue(String.valueOf(failure.getMessage()).contains("407"), failure::toString);
    }
  }

  static Stream<Arguments> repetitions() {
    return Stream.of(Stack.values())
        .flatMap(stack -> Stream.of(
            Arguments.of(stack, 408, null, 200),
            Arguments.of(stack, 408, "0", 200),
            Arguments.of(stack, 408, "1", 408),
            Arguments.of(stack, 503, null, 503),
            Arguments.of(stack, 503, "0", 200),
            Arguments.of(stack, 503, "2", 503),
            Arguments.of(stack, 503, "Fri, 31 Dec 1999 23:59:59 GMT", 503),
            Arguments.of(stack, 500, "0", 500)));
  }

  @ParameterizedTest
  @MethodSource("repetitions")
  void aServerThatWantsToBeAskedAgainAtOnceIs(
      Stack stack, int code, @Nullable String retryAfter, int becomes) throws Exception {
    if (retryAfter == null) {
      enqueue(code);
    } else {
      enqueue(code, "Retry-After", retryAfter);
    }
    enqueue(200);
    try (Stack.Running running = stack.start();
        Response response = execute(running, request())) {
      assertEquals(becomes, response.code());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsNeverReadyIsAskedTwice(Stack stack) throws Exception {
    enqueue(503, "Retry-After", "0");
    enqueue(503, "Retry-After", "0");
    try (Stack.Running running = stack.start();
        Response response = execute(running, request())) {
      assertEquals(503, response.code());
    }
    assertEquals(2, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatCanBeWrittenOnceIsNotSentAgain(Stack stack) throws Exception {
    enqueue(307, "Location", "/found");
    RequestBody once = new RequestBody() {
      @Override
      public @Nullable MediaType contentType() {
        return null;
      }

      @Override
      public boolean isOneShot() {
        return true;
      }

      @Override
      public void writeTo(BufferedSink sink) throws IOException {
        sink.writeUtf8("once");
      }
    };
    try (Stack.Running running = stack.start();
        Response response = execute(running, request().post(once))) {
      assertEquals(307, response.code());
      assertEquals("code 307", response.body().string());
    }
    var sent = server.takeRequest().getBody();
    assertNotNull(sent);
    assertEquals("once", sent.utf8());
  }

  @ParameterizedTest
  @EnumSource
  void aResponseThatAnInterceptorHasKeptDoesNotKeepARedirectFromBeingFollowed(Stack stack)
      throws Exception {
    server.enqueue(new MockResponse.Builder()
        .code(302)
        .addHeader("Location", "/b")
        .body("a".repeat(300_000))
        .build());
    server.enqueue(new MockResponse.Builder().body("b").build());
    List<Response> kept = new ArrayList<>();
    OkHttpClient.Builder builder = new OkHttpClient.Builder().addNetworkInterceptor(chain -> {
      Response response = chain.proceed(chain.request());
      kept.add(response);
      return response.newBuilder().body(ResponseBody.create("mine", null)).build();
    });
    try (Stack.Running running = stack.over(builder);
        Response response = running.get(server.url("/a"))) {
      assertEquals("mine", response.body().string());
      assertEquals("/b", response.request().url().encodedPath());
      assertThrows(IOException.class, () -> kept.getFirst().body().string());
      assertEquals("b", kept.getLast().body().string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterceptorThatThrowsLeavesNoResponseOpen(Stack stack) throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi");
      connection.drain();
      closed.countDown();
    };
    OkHttpClient.Builder builder = new OkHttpClient.Builder().addNetworkInterceptor(chain -> {
      chain.proceed(chain.request());
      throw new IOException("that is not needed");
    });
    ScriptedPeer.visit(script, peer -> {
      try (Stack.Running running = stack.over(builder)) {
        HttpUrl url = HttpUrl.get(peer.url("/"));
        assertEquals(
            "that is not needed",
            assertThrows(IOException.class, () -> running.get(url)).getMessage());
        closed.await();
      }
    });
  }

  /** OkHttp shows it there too. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void proxyCredentialsAreNotSentToTheSameServerWithoutProxy(Stack stack) throws Exception {
    Queue<Proxy> ways = new ConcurrentLinkedQueue<>(
        List.of(server.getProxyAddress(), server.getProxyAddress(), Proxy.NO_PROXY));
    ProxySelector selector = new ProxySelector() {
      @Override
      public List<Proxy> select(URI uri) {
        return List.of(ways.remove());
      }

      @Override
      public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        throw new AssertionError(failure);
      }
    };
    try (MockWebServer near = PromptServer.create()) {
      near.start();
      near.enqueue(new MockResponse.Builder().body("near").build());
      enqueue(407, "Proxy-Authenticate", "Basic realm=\"r\"");
      enqueue(302, "Location", near.url("/b").toString());
      OkHttpClient.Builder client = new OkHttpClient.Builder()
          .proxySelector(selector)
          .proxyAuthenticator((route, response) -> response
              .request()
              .newBuilder()
              .header("Proxy-Authorization", "key")
              .build());
      try (Stack.Running running = stack.over(client);
          Response response = running.get(near.url("/a"))) {
        assertEquals("near", response.body().string());
      }
      server.takeRequest();
      assertEquals("key", server.takeRequest().getHeaders().get("Proxy-Authorization"));
      assertNull(near.takeRequest().getHeaders().get("Proxy-Authorization"));
    }
  }
}
