package heddle.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client does that was given no settings, and how that is switched off. */
@Timeout(60)
class DefaultStepsTest {
  /** What a test does with a server. */
  private interface Visit {
    void to(HttpClient client, MockServer server) throws Exception;
  }

  private static void visit(Visit visit) throws Exception {
    visit(client -> client, visit);
  }

  private static void visit(UnaryOperator<HttpClient.Builder> settings, Visit visit)
      throws Exception {
    try (SimNetwork world = SimNetwork.builder().virtualTime().build()) {
      world.run(() -> {
        try (MockServer server = MockServer.builder().network(world).start();
            HttpClient client = settings
                .apply(HttpClient.builder()
                    .network(world.lasting())
                    .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress())))
                .build()) {
          visit.to(client, server);
        }
      });
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream coding = new GZIPOutputStream(bytes)) {
      coding.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static MockResponse coded(String text) throws IOException {
    return MockResponse.ok(gzip(text)).header("Content-Encoding", "gzip");
  }

  private static RecordedRequest only(MockServer server) {
    assertEquals(1, server.requests().size());
    return server.requests().getFirst();
  }

  @Test
  void userAgentNamesHeddleAndItsVersion() throws Exception {
    visit((client, server) -> {
      server.answer("/", MockResponse.ok("hello"));
      assertEquals("hello", client.send(Request.get(server.url("/"))).string());
      String product = only(server).header("User-Agent");
      assertTrue(product != null && product.matches("heddle/\\d+\\.\\d+\\S* \\(Java\\)"), product);
    });
  }

  @Test
  void userAgentIsReplacedOrLeftOut() throws Exception {
    visit(client -> client.userAgent("shop/2.1"), (client, server) -> {
      server.answer("/", MockResponse.ok("hello"));
      client.send(Request.get(server.url("/"))).close();
      assertEquals("shop/2.1", only(server).header("User-Agent"));
    });
    visit(client -> client.userAgent(null), (client, server) -> {
      server.answer("/", MockResponse.ok("hello"));
      client.send(Request.get(server.url("/"))).close();
      assertNull(only(server).header("User-Agent"));
    });
    assertThrows(
        IllegalArgumentException.class, () -> HttpClient.builder().userAgent("a\r\nX-Injected: b"));
  }

  @Test
  void userAgentOfTheRequestOrOfAnInterceptorWins() throws Exception {
    visit((client, server) -> {
      server.answer("/", MockResponse.ok("hello"));
      Request own = Request.builder(server.url("/")).header("User-Agent", "own").build();
      client.send(own).close();
      assertEquals("own", only(server).header("User-Agent"));
    });
    UnaryOperator<HttpClient.Builder> intercepted =
        builder -> builder.interceptor((request, chain) -> chain.proceed(
            request.toBuilder().header(HeaderName.USER_AGENT, "step").build()));
    visit(intercepted, (client, server) -> {
      server.answer("/", coded("hello"));
      assertEquals("hello", client.send(Request.get(server.url("/"))).string());
      assertEquals("step", only(server).header("User-Agent"));
    });
  }

  @Test
  void contentIsAskedForInGzipAndDecoded() throws Exception {
    visit((client, server) -> {
      server.answer("/", coded("hello"));
      Response response = client.send(Request.get(server.url("/")));
      assertEquals("hello", response.string());
      assertNull(response.headers().first("Content-Encoding"));
      assertEquals("gzip, deflate", only(server).header("Accept-Encoding"));
    });
  }

  @Test
  void withoutCodingsContentIsReturnedAsItIs() throws Exception {
    visit(client -> client.contentCodings(null), (client, server) -> {
      server.answer("/", coded("hello"));
      Response response = client.send(Request.get(server.url("/")));
      assertEquals(gzip("hello").length, response.bytes().length);
      assertEquals("gzip", response.headers().first("Content-Encoding"));
      assertNull(only(server).header("Accept-Encoding"));
    });
  }

  @Test
  void requestThatSaysWhatItAcceptsGetsThat() throws Exception {
    visit((client, server) -> {
      server.answer("/", coded("hello"));
      Request own =
          Request.builder(server.url("/")).header("Accept-Encoding", "gzip").build();
      Response response = client.send(own);
      assertEquals(gzip("hello").length, response.bytes().length);
      assertEquals("gzip", response.headers().first("Content-Encoding"));
    });
  }

  @Test
  void redirectsOfSafeMethodsAreFollowedAndDecoded() throws Exception {
    visit((client, server) -> {
      server.answer("/a", MockResponse.of(302).header("Location", "/b").body("moved"));
      server.answer("/b", coded("hello"));
      Response response = client.send(Request.get(server.url("/a")));
      assertEquals("hello", response.string());
      assertEquals("/b", assertNotNullRequest(response).target());
      assertEquals(1, response.earlier().size());
      RecordedRequest second = server.requests().getLast();
      assertEquals("gzip, deflate", second.header("Accept-Encoding"));
      assertTrue(String.valueOf(second.header("User-Agent")).startsWith("heddle/"));
      assertEquals(1, server.connections());
    });
  }

  @Test
  void afterARedirectACallNamesTheLatterConnection() throws Exception {
    List<ConnectionInfo> acquired = new ArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void acquired(AttemptInfo attempt, ConnectionInfo on, boolean reused, Duration took) {
        acquired.add(on);
      }
    };
    visit(client -> client.listener(listener), (client, server) -> {
      server.answer(
          "/a", MockResponse.of(302).header("Location", "/b").header("Connection", "close"));
      server.answer("/b", MockResponse.ok("hello"));
      HttpCall call = client.newCall(Request.get(server.url("/a")));
      call.execute().close();
      assertEquals(2, server.connections());
      assertEquals(acquired.getLast(), call.connection());
    });
  }

  @Test
  void aRequestMayNeedANewConnection() throws Exception {
    visit((client, server) -> {
      server.answer("/", MockResponse.ok("hello"));
      Request request = Request.get(server.url("/"));
      assertFalse(isOnReusedConnection(client, request));
      assertTrue(isOnReusedConnection(client, request));
      Request anew = request.toBuilder().onNewConnection(true).build();
      assertFalse(isOnReusedConnection(client, anew));
      assertFalse(isOnReusedConnection(client, anew.toBuilder().build()));
      assertTrue(isOnReusedConnection(client, request));
      assertEquals(3, server.connections());
    });
  }

  private static boolean isOnReusedConnection(HttpClient client, Request request)
      throws IOException {
    HttpCall call = client.newCall(request);
    assertFalse(call.isConnectionReused());
    assertEquals("hello", call.execute().string());
    return call.isConnectionReused();
  }

  private static Request assertNotNullRequest(Response response) {
    Request request = response.request();
    assertNotNull(request);
    return request;
  }

  @Test
  void redirectsOfOtherMethodsAreTheCallersAffair() throws Exception {
    visit((client, server) -> {
      for (int status : new int[] {301, 302, 303, 307, 308}) {
        server.reset();
        server.answer("/a", MockResponse.of(status).header("Location", "/b"));
        for (Method method : List.of(Method.POST, Method.PUT, Method.DELETE)) {
          Request request = Request.builder(server.url("/a"))
              .method(method)
              .body(Body.of("content"))
              .build();
          try (Response response = client.send(request)) {
            assertEquals(status, response.status().code());
          }
        }
        assertEquals(3, server.requests().size());
      }
    });
  }

  @Test
  void redirectsAreFollowedAlwaysOrNeverIfSetSo() throws Exception {
    visit(client -> client.redirects(RedirectPolicy.never()), (client, server) -> {
      server.answer("/a", MockResponse.of(302).header("Location", "/b"));
      assertEquals(302, client.send(Request.get(server.url("/a"))).status().code());
      assertEquals("/a", only(server).target());
    });
    visit(client -> client.redirects(RedirectPolicy.standard()), (client, server) -> {
      server.answer("/a", MockResponse.of(307).header("Location", "/b"));
      server.answer("/b", MockResponse.ok("stored"));
      Request post = Request.post(server.url("/a"), Body.of("content"));
      assertEquals("stored", client.send(post).string());
      assertEquals("content", server.requests().getLast().text());
    });
  }

  /** The steps see the response only after the request was sent. */
  @Test
  void bodyThatCannotBeReadTwiceIsNotSentToAnotherPlace() throws Exception {
    visit(client -> client.redirects(RedirectPolicy.standard()), (client, server) -> {
      server.answer("/a", MockResponse.of(307).header("Location", "/b"));
      Body once = Body.of(new ByteArrayInputStream(new byte[] {1, 2, 3}));
      try (Response response = client.send(Request.post(server.url("/a"), once))) {
        assertEquals(307, response.status().code());
      }
      assertEquals("/a", only(server).target());
    });
  }

  @Test
  void listenersSeeTheCallersRequestAndWhatIsMadeOfIt() throws Exception {
    List<Request> calls = new ArrayList<>();
    List<Request> attempts = new ArrayList<>();
    List<Request> followed = new ArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void callStarted(CallInfo call) {
        calls.add(call.request());
      }

      @Override
      public void attemptStarted(AttemptInfo attempt) {
        attempts.add(attempt.request());
      }

      @Override
      public void followed(AttemptInfo attempt, Request next) {
        followed.add(next);
      }
    };
    visit(client -> client.listener(listener), (client, server) -> {
      server.answer("/a", MockResponse.of(302).header("Location", "/b"));
      server.answer("/b", MockResponse.ok("hello"));
      Request request = Request.get(server.url("/a"));
      assertEquals("hello", client.send(request).string());
      assertEquals(List.of(request), calls);
      assertEquals(List.of("/a", "/b"), attempts.stream().map(Request::target).toList());
      assertTrue(
          attempts.stream().allMatch(each -> each.headers().contains(HeaderName.USER_AGENT)));
      assertEquals(List.of("/b"), followed.stream().map(Request::target).toList());
    });
  }
}
