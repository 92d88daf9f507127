package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The code of docs/guide/concurrency-and-limits.md. */
final class Concurrency {
  private Concurrency() {}

  static List<String> all(HttpClient client, List<String> urls) throws Exception {
    // doc: all
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> pages = new ArrayList<>();
      for (String url : urls) {
        pages.add(callers.submit(() -> client.get(url).requireSuccess().string()));
      }
      List<String> texts = new ArrayList<>();
      for (Future<String> page : pages) {
        texts.add(page.get());
      }
      return texts;
    }
    // doc: end
  }

  static HttpClient limits() {
    // doc: limits
    PoolLimits limits = PoolLimits.builder()
        .maxPerRoute(400) // connections of HTTP/1.1 to one host
        .maxTotal(2_000) // connections to all hosts
        .maxInFlightPerRoute(1_000) // calls at once to one host, over HTTP/2 too
        .build();
    HttpClient client = HttpClient.builder().poolLimits(limits).build();
    // doc: end
    return client;
  }

  static void snapshot(HttpClient client) {
    // doc: snapshot
    client
        .pool()
        .routes()
        .forEach(route -> System.out.println(route.route()
            + ": in flight " + route.inFlight()
            + ", waiting " + route.pending()
            + ", the load needs " + route.neededInFlight()));
    // doc: end
  }

  static HttpClient adaptive() {
    // doc: adaptive
    HttpClient client =
        HttpClient.builder().poolLimits(PoolLimits.adaptive(10, 500)).build();
    // doc: end
    return client;
  }
}
