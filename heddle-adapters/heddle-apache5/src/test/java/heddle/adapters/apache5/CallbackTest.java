package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that callbacks send. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class CallbackTest {
  /** Passes what the callback of a request gets. */
  private record Callback(Consumer<SimpleHttpResponse> answered, CompletableFuture<?> failed)
      implements FutureCallback<SimpleHttpResponse> {
    @Override
    public void completed(SimpleHttpResponse response) {
      answered.accept(response);
    }

    @Override
    public void failed(Exception cause) {
      failed.completeExceptionally(cause);
    }

    @Override
    public void cancelled() {
      failed.cancel(false);
    }
  }

  private static void send(
      AsyncStack.Running running,
      String url,
      CompletableFuture<?> failed,
      Consumer<SimpleHttpResponse> answered) {
    var unused = running
        .client()
        .execute(SimpleRequestBuilder.get(url).build(), new Callback(answered, failed));
  }

  /** On a thread of Apache's own it would wait forever. */
  @Test
  void aCallbackMayWaitForTheRequestsThatItSends(MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("content"));
    CompletableFuture<Integer> end = new CompletableFuture<>();
    try (AsyncStack.Running running = AsyncStack.start(Stack.HEDDLE)) {
      String url = server.url("/");
      send(running, url, end, response -> {
        try {
          int first = running.get(url).getCode();
          end.complete(first + running.get(url).getCode());
        } catch (InterruptedException | ExecutionException e) {
          end.completeExceptionally(e);
        }
      });
      assertEquals(400, end.get());
    }
  }

  @Test
  void aCallbackMaySendManyRequests(MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("content"));
    CompletableFuture<Integer> end = new CompletableFuture<>();
    Set<Integer> answered = ConcurrentHashMap.newKeySet();
    try (AsyncStack.Running running = AsyncStack.start(Stack.HEDDLE)) {
      String url = server.url("/");
      send(running, url, end, response -> {
        for (int i = 0; i < 10; i++) {
          int number = i;
          send(running, url, end, each -> {
            answered.add(number);
            if (answered.size() == 10) {
              end.complete(each.getCode());
            }
          });
        }
      });
      assertEquals(200, end.get());
      assertEquals(11, server.requests().size());
    }
  }
}
