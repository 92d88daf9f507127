package heddle.examples.guide;

import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The code of docs/guide/structured-concurrency.md. */
final class Structured {
  private Structured() {}

  static String first(HttpClient client, List<String> urls) throws Exception {
    // doc: first
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      // The others are interrupted, which ends their calls and frees their connections.
      return callers.invokeAny(urls.stream()
          .map(url -> (java.util.concurrent.Callable<String>)
              () -> client.get(url).requireSuccess().string())
          .toList());
    }
    // doc: end
  }

  static void cancel(HttpClient client, Request request) throws IOException {
    // doc: cancel
    HttpCall call = client.newCall(request);
    CompletableFuture<Response> answer = call.executeAsync();
    call.cancel(); // from any thread
    System.out.println(answer.isCompletedExceptionally() + " " + call.state());
    // doc: end
  }
}
