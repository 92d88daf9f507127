package heddle.examples.guide;

import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The code of docs/guide/structured-concurrency.md. */
final class Structured {
  private Structured() {}

  static String first(HttpClient client, List<String> urls) throws Exception {
    // doc: first
    List<Callable<String>> calls = new ArrayList<>();
    for (String url : urls) {
      calls.add(() -> client.get(url).requireSuccess().string());
    }
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      // The others are interrupted, which ends their calls and frees their connections.
      return callers.invokeAny(calls);
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
