package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Path;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.Cache;
import okhttp3.CacheControl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cache of a client stores responses that arrive over Heddle. */
@Timeout(60)
class CacheTest {
  @AutoClose
  private final MockWebServer server = PromptServer.create();

  private final Diary diary = new Diary();

  @TempDir
  Path folder;

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private OkHttpClient.Builder client(Cache cache) {
    return new OkHttpClient.Builder().cache(cache).eventListener(diary);
  }

  @ParameterizedTest
  @EnumSource
  void aFreshCacheEntryIsNotRequestedAgain(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder()
        .body("kept")
        .addHeader("Cache-Control", "max-age=60")
        .build());
    try (Cache cache = new Cache(folder.toFile(), 1 << 20);
        Stack.Running running = stack.over(client(cache))) {
      try (Response first = running.get(server.url("/"))) {
        assertEquals("kept", first.body().string());
        assertNotNull(first.networkResponse());
        assertNull(first.cacheResponse());
      }
      try (Response second = running.get(server.url("/"))) {
        assertEquals("kept", second.body().string());
        assertNull(second.networkResponse());
        assertNotNull(second.cacheResponse());
      }
      assertEquals(1, cache.hitCount());
      assertEquals(1, cache.networkCount());
    }
    assertEquals(1, server.getRequestCount());
    assertEquals("cacheHit", diary.from("cacheHit").getFirst());
    assertEquals("callEnd", diary.entries.getLast());
  }

  @ParameterizedTest
  @EnumSource
  void aStaleCacheEntryIsRequestedWithACondition(Stack stack) throws Exception {
    server.enqueue(
        new MockResponse.Builder().body("kept").addHeader("ETag", "\"v1\"").build());
    server.enqueue(new MockResponse.Builder().code(304).build());
    try (Cache cache = new Cache(folder.toFile(), 1 << 20);
        Stack.Running running = stack.over(client(cache))) {
      running.get(server.url("/")).body().string();
      try (Response second = running.get(server.url("/"))) {
        assertEquals(200, second.code());
        assertEquals("kept", second.body().string());
        assertNotNull(second.networkResponse());
        assertEquals(304, second.networkResponse().code());
      }
    }
    server.takeRequest();
    assertEquals("\"v1\"", server.takeRequest().getHeaders().get("If-None-Match"));
    assertEquals("cacheConditionalHit", diary.from("cacheConditionalHit").getFirst());
  }

  @ParameterizedTest
  @EnumSource
  void anOnlyIfCachedRequestFailsWithoutACacheEntry(Stack stack) throws Exception {
    try (Cache cache = new Cache(folder.toFile(), 1 << 20);
        Stack.Running running = stack.over(client(cache));
        Response response = running
            .client()
            .newCall(new Request.Builder()
                .url(server.url("/"))
                .cacheControl(CacheControl.FORCE_CACHE)
                .build())
            .execute()) {
      assertEquals(504, response.code());
    }
    assertEquals(0, server.getRequestCount());
    assertEquals("satisfactionFailure", diary.from("satisfactionFailure").getFirst());
  }
}
