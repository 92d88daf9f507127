package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 section 3: which responses are stored. */
final class StoringRulesTest {
  private final CacheScene scene = new CacheScene();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          # status, response, request, what becomes of the same request a second later
          200 | CC: max-age=60                   |                           | hit
          200 | CC: max-age=60, no-store         |                           | miss
          200 | CC: max-age=60; ETag: "a"        | CC: no-store              | miss
          200 | CC: private, max-age=60          |                           | hit
          200 | CC: private="X-User", max-age=60 |                           | hit
          200 | CC: max-age=60                   | Authorization: Basic eA== | hit
          200 |                                  |                           | miss
          200 | ETag: "a"                        |                           | validated
          200 | Last-Modified: {-5}              |                           | validated
          200 | CC: max-age=0                    |                           | miss
          # 5.2.2.3: must-understand
          200 | CC: must-understand, no-store, max-age=60 |  | hit
          299 | CC: must-understand, no-store, max-age=60 |  | miss
          299 | CC: must-understand, max-age=60           |  | miss
          299 | CC: max-age=60                            |  | hit
          # heuristically cacheable or not: RFC 9110 section 15.1
          203 | Last-Modified: {-1000}             |  | hit
          204 | Last-Modified: {-1000}             |  | hit
          300 | Last-Modified: {-1000}             |  | hit
          301 | Last-Modified: {-1000}             |  | hit
          308 | Last-Modified: {-1000}             |  | hit
          404 | Last-Modified: {-1000}             |  | hit
          405 | Last-Modified: {-1000}             |  | hit
          410 | Last-Modified: {-1000}             |  | hit
          414 | Last-Modified: {-1000}             |  | hit
          501 | Last-Modified: {-1000}             |  | hit
          201 | Last-Modified: {-1000}             |  | miss
          302 | Last-Modified: {-1000}             |  | miss
          307 | Last-Modified: {-1000}             |  | miss
          403 | Last-Modified: {-1000}             |  | miss
          500 | Last-Modified: {-1000}             |  | miss
          503 | ETag: "a"                          |  | miss
          302 | CC: max-age=60                     |  | hit
          302 | Expires: {60}                      |  | hit
          302 | CC: public; Last-Modified: {-1000} |  | hit
          500 | CC: max-age=60                     |  | hit
          # 3.3: no parts
          206 | CC: max-age=60; Content-Range: bytes 0-6/9 |  | miss
          """)
  void statusAndDirectives(int status, String fields, String asks, String expected)
      throws Exception {
    scene.serve(status, fields == null ? "" : fields, status == 204 ? "" : "content");
    scene.get(asks == null ? "" : asks);
    scene.pass(1);
    Response second = scene.get(asks == null ? "" : asks);
    assertEquals(expected, CacheScene.outcome(second));
    assertEquals(status, second.status().code());
  }

  @ParameterizedTest
  @CsvSource({"HEAD, ''", "OPTIONS, ''", "GET, Range: bytes=0-6", "GET, If-Match: x"})
  void requestsThatAreNotStored(String method, String fields) throws Exception {
    scene.serve(200, "Cache-Control: max-age=60", "content");
    for (int i = 0; i < 2; i++) {
      scene.send(Method.of(method), CacheScene.URL, fields).close();
    }
    assertEquals(2, scene.received.size());
    assertEquals("miss", CacheScene.outcome(scene.get("")));
  }

  @Test
  void requestWithContentIsAnsweredByTheServer() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60", "content");
    scene.get("");
    Request search = Request.builder(CacheScene.URL).body(Body.of("{}")).build();
    assertEquals("miss", CacheScene.outcome(scene.cache.intercept(search, scene)));
    assertEquals("{}", scene.last().body().string());
  }

  /** Section 3.1. */
  @Test
  void fieldsOfTheConnectionAreNotStored() throws Exception {
    scene.serve(
        200,
        "Cache-Control: max-age=60; Connection: close, X-Hop; X-Hop: 1; Keep-Alive: timeout=5;"
            + "Proxy-Authenticate: Basic; Transfer-Encoding: chunked; Trailer: X-Sum; X-End: 2;"
            + "Set-Cookie: a=b; Cache-Status: cdn",
        "content");
    scene.get("");
    Response hit = scene.get("");
    assertEquals("hit", CacheScene.outcome(hit));
    for (String each :
        new String[] {"Connection", "X-Hop", "Keep-Alive", "Proxy-Authenticate", "Trailer"}) {
      assertFalse(hit.headers().contains(each), each);
    }
    assertFalse(hit.headers().contains("Transfer-Encoding"));
    assertEquals("2", hit.headers().first("X-End"));
    assertEquals("a=b", hit.headers().first("Set-Cookie"));
    assertEquals(
        java.util.List.of("cdn", "heddle; hit; ttl=60"), hit.headers().all("Cache-Status"));
  }

  /** RFC 9110 section 6.6.1. */
  @Test
  void responseWithoutADateGetsOne() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60", "content");
    scene.get("");
    assertEquals("Fri, 02 Jan 2026 03:04:05 GMT", scene.get("").headers().first("Date"));
  }

  // ---- content

  /** A body that arrives while it is read, as one of a connection does. */
  private static Body arriving(InputStream content, long length) {
    return Body.of(content, length);
  }

  private void serve(java.util.function.Supplier<Body> body) {
    scene.server =
        request -> CacheScene.response(200, "Cache-Control: max-age=60", "").withBody(body.get());
  }

  @ParameterizedTest
  @ValueSource(longs = {Body.UNKNOWN, 100_000})
  void contentIsStoredWhileItIsRead(long length) throws Exception {
    byte[] content = new byte[100_000];
    new java.util.Random(7).nextBytes(content);
    serve(() -> arriving(new ByteArrayInputStream(content), length));
    try (Response first = scene.send(Method.GET, CacheScene.URL, "")) {
      assertArrayEquals(content, first.bytes());
    }
    try (Response second = scene.send(Method.GET, CacheScene.URL, "")) {
      assertEquals("hit", CacheScene.outcome(second));
      assertArrayEquals(content, second.bytes());
    }
  }

  @Test
  void readerThatStopsAtTheKnownLengthHasReadAll() throws Exception {
    serve(() -> arriving(new ByteArrayInputStream(new byte[10]), 10));
    try (Response first = scene.send(Method.GET, CacheScene.URL, "");
        InputStream in = first.body().stream()) {
      assertEquals(10, in.readNBytes(10).length);
    }
    assertEquals("hit", CacheScene.outcome(scene.get("")));
  }

  @Test
  void contentThatIsShorterThanAnnouncedIsNotStored() throws Exception {
    serve(() -> arriving(new ByteArrayInputStream(new byte[3]), 10));
    try (Response first = scene.send(Method.GET, CacheScene.URL, "");
        InputStream in = first.body().stream()) {
      assertEquals(3, in.readAllBytes().length);
    }
    assertEquals("504", CacheScene.outcome(scene.get("CC: only-if-cached")));
  }

  @Test
  void incompleteContentIsNotStored() throws Exception {
    serve(() -> arriving(new ByteArrayInputStream(new byte[10]), Body.UNKNOWN));
    try (Response first = scene.send(Method.GET, CacheScene.URL, "");
        InputStream in = first.body().stream()) {
      assertEquals(10, in.readNBytes(10).length); // Whether that is all is not known yet.
    }
    scene.send(Method.GET, CacheScene.URL, "").close();
    scene.send(Method.GET, CacheScene.URL, "").body().discard();
    assertEquals("miss", CacheScene.outcome(scene.get("")));
    assertEquals("hit", CacheScene.outcome(scene.get("")));
    assertEquals(1, scene.cache.statistics().stored());
  }

  @Test
  void contentThatBreaksOffIsNotStored() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    serve(() -> arriving(
        new InputStream() {
          @Override
          public int read() throws IOException {
            if (reads.getAndIncrement() >= 5) {
              throw new IOException("the connection was lost");
            }
            return 1;
          }
        },
        100));
    try (Response first = scene.send(Method.GET, CacheScene.URL, "")) {
      assertThrows(IOException.class, first::bytes);
    }
    long before = scene.cache.statistics().bytes();
    assertEquals(0, before);
    assertEquals("504", CacheScene.outcome(scene.get("Cache-Control: only-if-cached")));
  }

  @ParameterizedTest
  @CsvSource({"1000, 1000, hit", "1001, 1001, miss", "1001, -1, miss"})
  void largerContentThanAllowedIsReadAndNotStored(int size, long length, String expected)
      throws Exception {
    CacheScene small =
        new CacheScene(CacheStore.inMemory(1 << 20), settings -> settings.maxResponseBytes(1000));
    small.server = request -> CacheScene.response(200, "Cache-Control: max-age=60", "")
        .withBody(arriving(new ByteArrayInputStream(new byte[size]), length));
    for (int i = 0; i < 2; i++) {
      Response response = small.send(Method.GET, CacheScene.URL, "");
      assertEquals(i == 0 ? "miss" : expected, CacheScene.outcome(response));
      assertEquals(size, response.bytes().length);
    }
  }

  @Test
  void announcedLengthTakesNoMemory() throws Exception {
    serve(() -> arriving(new ByteArrayInputStream(new byte[3]), 1 << 20));
    try (Response first = scene.send(Method.GET, CacheScene.URL, "");
        InputStream in = first.body().stream()) {
      assertEquals(3, in.readNBytes(3).length);
      long held = scene.cache.statistics().bytes();
      assertEquals(1024, held);
    }
    assertEquals(0, scene.cache.statistics().bytes());
  }

  @Test
  void replayableContentIsStoredOnce() throws Exception {
    serve(() -> Body.replayable(4, () -> new ByteArrayInputStream(new byte[4])));
    Response first = scene.send(Method.GET, CacheScene.URL, "");
    assertEquals(4, first.bytes().length);
    assertEquals(4, first.bytes().length);
    assertEquals(1, scene.cache.statistics().stored());
  }

  @Test
  void responseSaysThatItIsStored() throws Exception {
    scene.serve(200, "Cache-Control: max-age=60", "content");
    assertEquals("heddle; fwd=uri-miss; stored", scene.get("").headers().first("Cache-Status"));
    scene.serve(200, "Cache-Control: no-store", "content");
    assertEquals(
        "heddle; fwd=request",
        scene.get("Cache-Control: no-cache").headers().first("Cache-Status"));
    assertEquals(
        "heddle; fwd=bypass",
        scene.send(Method.GET, CacheScene.URL, "Range: bytes=0-1").headers().first("Cache-Status"));
  }

  @Test
  void invalidSettingsAreRefused() {
    HttpCache.Builder settings = HttpCache.builder(CacheStore.inMemory(10));
    assertThrows(IllegalArgumentException.class, () -> settings.maxResponseBytes(11));
    assertThrows(IllegalArgumentException.class, () -> settings.maxResponseBytes(0));
    assertThrows(
        IllegalArgumentException.class,
        () -> settings.staleIfError(java.time.Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class, () -> CacheStore.inMemory(0));
  }
}
