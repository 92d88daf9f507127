package heddle.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for each store. */
@Timeout(60)
final class CacheStoreTest {
  enum Kind {
    MEMORY,
    DISK;

    CacheStore open(Path folder, long maxBytes) throws IOException {
      return this == MEMORY
          ? CacheStore.inMemory(maxBytes)
          : CacheStore.onDisk(folder.resolve("cache"), maxBytes);
    }
  }

  @TempDir
  private Path folder;

  static CachedResponse response(Content content, String... fields) {
    return new CachedResponse(
        Status.OK,
        HttpVersion.HTTP_1_1,
        Headers.of(fields),
        new Variant(List.of(), ""),
        1,
        2,
        content);
  }

  /** Null if there is no room. */
  static Content write(CacheStore store, String key, byte[] content) throws IOException {
    ContentWriter writer = store.writer(key, content.length);
    for (int at = 0; at < content.length; at += 10_000) {
      writer.write(content, at, Math.min(10_000, content.length - at));
    }
    return writer.complete();
  }

  static void put(CacheStore store, String key, byte[] content) throws IOException {
    Content written = write(store, key, content);
    if (written != null) {
      store.update(key, before -> List.of(response(written, "Content-Type", "text/plain")));
    }
  }

  static byte[] bytes(int size, int seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(CacheStore store, String key) throws IOException {
    List<CachedResponse> found = store.find(key);
    if (found.isEmpty()) {
      return null;
    }
    try (Body body = store.open(key, found.getFirst())) {
      assertEquals("text/plain", String.valueOf(body.mediaType()));
      return body.bytes();
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentOfAnySizeComesBack(Kind kind) throws Exception {
    try (CacheStore store = kind.open(folder, 10 << 20)) {
      for (int size : new int[] {0, 1, 1024, 64 << 10, (64 << 10) + 1, 256 << 10, 1_000_000}) {
        byte[] content = bytes(size, size);
        put(store, "http://example.com:80/" + size, content);
        assertArrayEquals(content, read(store, "http://example.com:80/" + size));
      }
      assertNull(read(store, "http://example.com:80/other"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void leastRecentlyUsedMakesRoom(Kind kind) throws Exception {
    try (CacheStore store = kind.open(folder, 50_000)) {
      for (int i = 0; i < 4; i++) {
        put(store, "key" + i, bytes(10_000, i));
      }
      assertArrayEquals(bytes(10_000, 0), read(store, "key0"));
      put(store, "key4", bytes(10_000, 4));
      put(store, "key5", bytes(10_000, 5));
      assertNull(read(store, "key1"));
      assertArrayEquals(bytes(10_000, 0), read(store, "key0"));
      assertTrue(store.bytes() <= 50_000, () -> "holds " + store.bytes());
      assertTrue(store.evicted() >= 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentThatArrivesCountsToo(Kind kind) throws Exception {
    try (CacheStore store = kind.open(folder, 100_000)) {
      put(store, "old", bytes(40_000, 1));
      ContentWriter writer = store.writer("new", 90_000);
      writer.write(bytes(80_000, 2), 0, 80_000);
      assertNull(read(store, "old"));
      assertTrue(store.bytes() >= 80_000);
      ContentWriter other = store.writer("other", 90_000);
      other.write(bytes(30_000, 3), 0, 30_000); // There is no room for it.
      assertNull(other.complete());
      writer.abandon();
      assertEquals(0, store.bytes());
      assertNull(writer.complete());
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentThatNoResponseRefersToIsFreed(Kind kind) throws Exception {
    try (CacheStore store = kind.open(folder, 1 << 20)) {
      put(store, "key", bytes(1000, 1));
      CachedResponse old = store.find("key").getFirst();
      long before = store.bytes();
      put(store, "key", bytes(1000, 2));
      assertEquals(before, store.bytes());
      if (kind == Kind.DISK) {
        assertNull(store.open("key", old));
      }
      store.update("key", all -> List.of());
      assertEquals(0, store.bytes());
      assertNull(read(store, "key"));
      store.free("key", write(store, "key", bytes(1000, 3)));
      assertEquals(0, store.bytes());
    }
  }

  @ParameterizedTest
  @EnumSource
  void fieldsChangeWithoutContent(Kind kind) throws Exception {
    try (CacheStore store = kind.open(folder, 1 << 20)) {
      put(store, "key", "content".getBytes(UTF_8));
      CachedResponse old = store.find("key").getFirst();
      Headers fields = Headers.of("Content-Type", "text/plain", "X-New", "\u00e9");
      store.update("key", before -> List.of(old.withHead(fields, old.variant(), 3, 4)));
      CachedResponse found = store.find("key").getFirst();
      assertEquals(fields, found.headers());
      assertEquals(3, found.requestedAt());
      assertEquals(4, found.receivedAt());
      assertEquals("content", new String(read(store, "key"), UTF_8));
    }
  }

  @ParameterizedTest
  @EnumSource
  void closedStoreHoldsNothing(Kind kind) throws Exception {
    CacheStore store = kind.open(folder, 1 << 20);
    put(store, "key", bytes(1000, 1));
    Content late = write(store, "late", bytes(1000, 1));
    store.close();
    assertNull(read(store, "key"));
    assertEquals(0, store.bytes());
    try {
      store.update("late", before -> List.of(response(late)));
    } catch (IOException e) {
      assertEquals("the store is closed", e.getMessage());
    }
    assertNull(read(store, "late"));
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void manyThreadsShareAStore(Kind kind) throws Exception {
    int threads = 8;
    int keys = 10;
    try (CacheStore store = kind.open(folder, 60_000);
        ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch begin = new CountDownLatch(1);
      List<Future<Integer>> done = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        Random random = new Random(thread);
        done.add(all.submit(() -> {
          begin.await();
          int hits = 0;
          for (int i = 0; i < 60; i++) {
            int key = random.nextInt(keys);
            byte[] expected = bytes(8_000, key);
            switch (random.nextInt(4)) {
              case 0 -> put(store, "key" + key, expected);
              case 1 -> store.update("key" + key, before -> List.of());
              default -> {
                List<CachedResponse> found = store.find("key" + key);
                Body body = found.isEmpty() ? null : store.open("key" + key, found.getFirst());
                if (body != null) {
                  assertArrayEquals(expected, body.bytes());
                  hits++;
                }
              }
            }
          }
          return hits;
        }));
      }
      begin.countDown();
      int hits = 0;
      for (Future<Integer> each : done) {
        hits += each.get();
      }
      assertTrue(hits > 0);
      assertTrue(store.bytes() <= 60_000, () -> "holds " + store.bytes());
      store.clear();
      assertEquals(0, store.bytes());
    }
  }
}
