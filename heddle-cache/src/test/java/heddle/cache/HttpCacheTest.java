package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.CallSummary;
import heddle.client.spi.CookieStore;
import heddle.client.spi.ExchangeListener;
import heddle.http.Body;
import heddle.http.GzipBody;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache in a client, with a server: what it makes of the other steps of a call. */
@Timeout(60)
final class HttpCacheTest {
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final InstantSource clock = now::get;

  @AutoClose
  private final HttpCache cache =
      HttpCache.builder(CacheStore.inMemory(10 << 20)).wallClock(clock).build();

  @AutoClose
  private final MockServer server;

  @AutoClose
  private final HttpClient client = HttpClient.builder().interceptor(cache).build();

  HttpCacheTest() throws IOException {
    server = MockServer.start();
  }

  private void pass(long seconds) {
    now.updateAndGet(time -> time.plusSeconds(seconds));
  }

  private static String outcome(Response response) throws IOException {
    try (response) {
      response.body().bytes();
      return CacheScene.outcome(response);
    }
  }

  private static MockResponse fresh(String content) {
    return MockResponse.ok(content).header("Cache-Control", "max-age=60");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void responseIsServedUntilItIsStaleAndThenValidated(HttpVersion version) throws Exception {
    server.handler(request -> request.header("If-None-Match") == null
        ? fresh("content of " + server.requests().size()).header("ETag", "\"1\"")
        : MockResponse.of(304).header("Cache-Control", "max-age=60").header("ETag", "\"1\""));
    Request request = Request.builder(server.url("/a")).version(version).build();
    for (String expected : List.of("miss", "hit", "hit")) {
      HttpCall call = client.newCall(request);
      Response response = call.execute();
      assertEquals("content of 1", response.string());
      assertEquals(expected.equals("hit"), call.connection() == null);
      assertEquals(expected, CacheScene.outcome(response));
      assertEquals(version, response.version());
      assertEquals(request.target(), response.request().target());
    }
    pass(61);
    Response validated = client.send(request);
    assertEquals("content of 1", validated.string());
    assertEquals("validated", CacheScene.outcome(validated));
    assertEquals("hit", outcome(client.send(request)));
    assertEquals(2, server.requests().size());
    CacheStatistics statistics = cache.statistics();
    assertEquals(3, statistics.hits());
    assertEquals(1, statistics.misses());
    assertEquals(1, statistics.validated());
    assertEquals(1, statistics.stored());
    assertEquals(0, statistics.failures());
    assertTrue(statistics.bytes() > 12);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 100_000, 1_000_000})
  void contentOfAnySizeIsServed(int size) throws Exception {
    byte[] content = CacheStoreTest.bytes(size, 1);
    server.handler(request -> {
      MockResponse answer = MockResponse.ok(content).header("Cache-Control", "max-age=60");
      return request.target().equals("/chunked") ? answer.chunked() : answer;
    });
    for (String path : List.of("/length", "/chunked")) {
      for (String expected : List.of("miss", "hit")) {
        Response response = client.get(server.url(path));
        assertArrayEquals(content, response.bytes());
        assertEquals(expected, CacheScene.outcome(response));
      }
    }
  }

  @Test
  void charsetOfStoredTextIsThatOfTheServer() throws Exception {
    server.handler(request -> MockResponse.ok(new byte[] {(byte) 0xE9})
        .header("Cache-Control", "max-age=60")
        .header("Content-Type", "text/plain; charset=iso-8859-1"));
    for (int i = 0; i < 2; i++) {
      assertEquals("\u00e9", client.get(server.url("/")).string());
    }
  }

  @Test
  void connectionThatIsLostStoresNothing() throws Exception {
    server.enqueue(fresh("content").with(MockFault.cutInBody(3)));
    Response cut = client.get(server.url("/"));
    assertThrows(IOException.class, cut::string);
    server.enqueue(fresh("content"));
    assertEquals("miss", outcome(client.get(server.url("/"))));
    assertEquals("hit", outcome(client.get(server.url("/"))));
  }

  // ---- content codings

  /** The client asks for gzip behind the cache, and decodes it there. */
  @Test
  void decodedContentIsStored() throws Exception {
    byte[] coded;
    try (InputStream in = GzipBody.of(Body.of("content")).stream()) {
      coded = in.readAllBytes();
    }
    server.handler(request -> (String.valueOf(request.header("Accept-Encoding")).contains("gzip")
            ? MockResponse.ok(coded).header("Content-Encoding", "gzip")
            : MockResponse.ok("content"))
        .header("Vary", "Accept-Encoding")
        .header("ETag", "W/\"1\"")
        .header("Cache-Control", "max-age=60"));
    for (String expected : List.of("miss", "hit")) {
      Response decoded = client.get(server.url("/"));
      assertEquals("content", decoded.string());
      assertEquals(expected, CacheScene.outcome(decoded));
      assertFalse(decoded.headers().contains("Content-Encoding"));
      assertFalse(decoded.headers().contains("Content-Length"));
    }
    Request own =
        Request.builder(server.url("/")).header("Accept-Encoding", "gzip").build();
    for (String expected : List.of("miss", "hit")) {
      Response asSent = client.send(own);
      assertArrayEquals(coded, asSent.bytes());
      assertEquals(expected, CacheScene.outcome(asSent));
      assertEquals("gzip", asSent.headers().first("Content-Encoding"));
    }
    Request plain =
        Request.builder(server.url("/")).header("Accept-Encoding", "identity").build();
    assertEquals("content", client.send(plain).string());
    assertEquals("hit", outcome(client.get(server.url("/"))));
  }

  // ---- redirects

  @Test
  void redirectedCallsAskTheServerEachTime() throws Exception {
    server.handler(request -> request.target().equals("/old")
        ? MockResponse.of(301).header("Location", "/new").header("Cache-Control", "max-age=60")
        : fresh("new"));
    for (int i = 0; i < 2; i++) {
      Response response = client.get(server.url("/old"));
      assertEquals("new", response.string());
      assertEquals("miss", CacheScene.outcome(response));
      assertEquals("/new", response.request().target());
    }
    assertEquals("miss", outcome(client.get(server.url("/new"))));
    assertEquals("hit", outcome(client.get(server.url("/new"))));
  }

  @Test
  void redirectThatIsNotFollowedIsStored() throws Exception {
    server.handler(request ->
        MockResponse.of(308).header("Location", "/new").header("Cache-Control", "max-age=60"));
    try (HttpClient plain = HttpClient.builder()
        .redirects(RedirectPolicy.never())
        .interceptor(cache)
        .build()) {
      assertEquals("miss", outcome(plain.get(server.url("/old"))));
      Response hit = plain.get(server.url("/old"));
      assertEquals("hit", CacheScene.outcome(hit));
      assertEquals("/new", hit.headers().first("Location"));
    }
  }

  // ---- cookies

  private static final class OneCookie implements CookieStore {
    final List<String> saved = new ArrayList<>();

    @Override
    public String load(Request request) {
      return "user=ann";
    }

    @Override
    public void save(Request request, List<String> setCookies) {
      saved.addAll(setCookies);
    }
  }

  @Test
  void cookiesAreStoredOnceAndResponsesThatVaryByThemAreNotStored() throws Exception {
    OneCookie cookies = new OneCookie();
    server.handler(request -> request.target().equals("/varies")
        ? fresh("a").header("Vary", "Cookie")
        : fresh("b").header("Set-Cookie", "seen=1"));
    try (HttpClient session =
        HttpClient.builder().cookies(cookies).interceptor(cache).build()) {
      assertEquals("miss", outcome(session.get(server.url("/varies"))));
      assertEquals("miss", outcome(session.get(server.url("/varies"))));
      assertEquals("miss", outcome(session.get(server.url("/"))));
      assertEquals("hit", outcome(session.get(server.url("/"))));
    }
    assertEquals(List.of("seen=1"), cookies.saved);
    assertEquals("user=ann", server.requests().getLast().header("Cookie"));
  }

  // ---- the call

  @Test
  void hitIsACallThatListenersSee() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    ExchangeListener counting = new ExchangeListener() {
      @Override
      public void callEnded(CallSummary summary) {
        ended.incrementAndGet();
      }
    };
    server.handler(request -> fresh("content"));
    client.send(Request.get(server.url("/")), counting).string();
    Response hit = client.send(Request.get(server.url("/")), counting);
    assertEquals("hit", outcome(hit));
    assertEquals(2, ended.get());
    assertEquals(1, server.requests().size());
  }

  @Test
  void staleResponseIsValidatedByACallThatOutlivesTheCallers() throws Exception {
    server.handler(request -> MockResponse.ok("version " + server.requests().size())
        .header("Cache-Control", "max-age=60, stale-while-revalidate=600"));
    assertEquals("version 1", client.get(server.url("/")).string());
    pass(61);
    assertEquals("version 1", client.get(server.url("/")).string());
    server.takeRequest();
    server.takeRequest();
    String content = "version 1";
    while (content.equals("version 1")) {
      content = client.get(server.url("/")).string(); // until the new one is stored
    }
    assertTrue(content.startsWith("version "), content);
  }

  @Test
  void staleResponseHidesThatTheServerIsGone() throws Exception {
    server.handler(request ->
        MockResponse.ok("content").header("Cache-Control", "max-age=60, stale-if-error=600"));
    String url = server.url("/");
    assertEquals("content", client.get(url).string());
    pass(61);
    server.close();
    assertEquals("content", client.get(url).string());
    pass(600);
    assertThrows(IOException.class, () -> client.get(url));
  }

  @Test
  void manyCallersOfOneResourceGetWhatTheServerSent() throws Exception {
    server.handler(request -> fresh("content").chunked());
    List<Future<String>> calls = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        String url = server.url("/" + i % 3);
        calls.add(callers.submit(() -> client.get(url).string()));
      }
      for (Future<String> each : calls) {
        assertEquals("content", each.get());
      }
    }
    CacheStatistics statistics = cache.statistics();
    assertEquals(200, statistics.hits() + statistics.misses());
    assertEquals(statistics.misses(), server.requests().size());
    assertEquals("hit", outcome(client.get(server.url("/0"))));
  }

  @Test
  void storeOnDiskServesTheNextClient(@TempDir Path folder) throws Exception {
    byte[] content = CacheStoreTest.bytes(500_000, 1);
    server.handler(request -> MockResponse.ok(content)
        .header("Content-Type", "application/x-thing")
        .header("Cache-Control", "max-age=60"));
    for (String expected : List.of("miss", "hit")) {
      try (HttpCache onDisk = HttpCache.builder(CacheStore.onDisk(folder, 1 << 20))
              .wallClock(clock)
              .build();
          HttpClient next = HttpClient.builder().interceptor(onDisk).build()) {
        Response response = next.get(server.url("/"));
        assertEquals(MediaType.parse("application/x-thing"), response.body().mediaType());
        assertArrayEquals(content, response.bytes());
        assertEquals(expected, CacheScene.outcome(response));
      }
    }
    assertEquals(1, server.requests().size());
  }

  @Test
  void refreshedTokenDoesNotShowAnotherUsersResponse() throws Exception {
    server.handler(request -> fresh("for " + request.header("Authorization")));
    for (String token : List.of("a", "b", "a")) {
      Request own = Request.builder(server.url("/me"))
          .header("Authorization", "Bearer " + token)
          .build();
      assertEquals("for Bearer " + token, client.send(own).string());
    }
    assertNull(server.requests().getLast().header("If-None-Match"));
    assertEquals(2, server.requests().size());
  }
}
