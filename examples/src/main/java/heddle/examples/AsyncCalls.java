package heddle.examples;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Shows two calls whose futures are combined, and a slow one that is cancelled. */
final class AsyncCalls {

  void main(String[] args) throws Exception {
    String base = args.length > 0 ? args[0] : "http://127.0.0.1:8080";
    try (HttpClient client = HttpClient.create()) {
      Request hello = Request.get(base + "/hello");
      CompletableFuture<String> first = client.sendAsync(hello).thenApply(AsyncCalls::text);
      CompletableFuture<String> second = client.sendAsync(hello).thenApply(AsyncCalls::text);
      IO.println(first.thenCombine(second, (one, other) -> one + " " + other).get());

      CompletableFuture<Response> slow = client.sendAsync(Request.get(base + "/delay/60000"));
      try (Response response = slow.get(200, TimeUnit.MILLISECONDS)) {
        IO.println("already there: " + response.status());
      } catch (TimeoutException e) {
        // Aborts the call: its thread ends and its connection is closed.
        IO.println("cancelled: " + slow.cancel(true));
      }
    }
  }

  private static String text(Response response) {
    try (response) {
      return response.string();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
