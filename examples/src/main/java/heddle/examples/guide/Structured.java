package heddle.examples.guide;

import heddle.client.Deadlines;
import heddle.client.HttpCall;
import heddle.client.HttpCalls;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The code of docs/guide/structured-concurrency.md. */
final class Structured {
  private Structured() {}

  static String all(HttpClient client) throws IOException {
    // doc: all
    List<Response> both = HttpCalls.allSuccess(
        client.newCall(client.request("/user").build()),
        client.newCall(client.request("/orders").build()));
    try (Response user = both.getFirst();
        Response orders = both.getLast()) {
      return user.string() + orders.string();
    }
    // doc: end
  }

  static String within(HttpClient client) throws IOException {
    // doc: within
    return Deadlines.within(Duration.ofSeconds(2), () -> all(client));
    // doc: end
  }

  static String first(HttpClient client, List<String> urls) throws IOException {
    // doc: first
    List<HttpCall> calls = new ArrayList<>();
    for (String url : urls) {
      calls.add(client.newCall(client.request(url).build()));
    }
    try (Response first = HttpCalls.firstSuccess(calls)) {
      return first.string();
    }
    // doc: end
  }

  static String hedged(HttpCall nearest, HttpCall other) throws IOException {
    // doc: hedged
    try (Response response = HttpCalls.hedged(Duration.ofMillis(50), nearest, other)) {
      return response.string();
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
