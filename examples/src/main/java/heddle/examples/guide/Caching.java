package heddle.examples.guide;

import heddle.cache.CacheStatistics;
import heddle.cache.CacheStore;
import heddle.cache.HttpCache;
import heddle.client.HttpClient;
import heddle.http.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The code of docs/guide/caching.md. */
final class Caching {
  private Caching() {}

  static void memory(String url) throws IOException {
    // doc: memory
    HttpCache cache = HttpCache.inMemory(64 << 20); // 64 MiB
    try (HttpClient client = HttpClient.builder().interceptor(cache).build()) {
      for (int i = 0; i < 2; i++) {
        try (Response response = client.get(url)) {
          System.out.println(response.string() + ", " + response.headers().first("Cache-Status"));
        }
      }
    }
    // doc: end
  }

  static HttpCache disk(Path directory) throws IOException {
    // doc: disk
    HttpCache cache = HttpCache.builder(CacheStore.onDisk(directory, 500 << 20)) // 500 MiB
        .maxResponseBytes(50 << 20) // 16 MiB by default
        .staleIfError(Duration.ofHours(1)) // not at all by default
        .build();
    // doc: end
    return cache;
  }

  static Response fresh(HttpClient client, String url) throws IOException {
    // doc: fresh
    Response response =
        client.send(client.request(url).header("Cache-Control", "no-cache").build());
    // doc: end
    return response;
  }

  static void statistics(HttpCache cache) {
    // doc: statistics
    CacheStatistics statistics = cache.statistics();
    System.out.println(statistics.hits() + " hits, " + statistics.misses() + " misses, "
        + statistics.bytes() + " bytes");
    // doc: end
  }
}
