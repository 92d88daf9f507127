package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More callers at once than there may be connections, with no settings: they wait, and succeed. */
@Timeout(60)
class ManyCallersTest {
  private static List<CompletableFuture<String>> start(
      int callers, HttpClient client, Request request, ThreadFactory threads) {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      answers.add(answer);
      threads
          .newThread(() -> {
            try (Response response = client.send(request)) {
              answer.complete(response.string());
            } catch (Throwable e) {
              answer.completeExceptionally(e);
            }
          })
          .start();
    }
    return answers;
  }

  @Test
  void fiveThousandCallersAtOnceSucceed() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.create()) {
      server.answer("/", MockResponse.ok("hello"));
      Request request = Request.get(server.url("/"));
      for (CompletableFuture<String> answer :
          start(5_000, client, request, Thread.ofVirtual().factory())) {
        assertEquals("hello", answer.get());
      }
    }
  }

  @Test
  void thousandCallersOfAServerThatTakesASecondSucceed() throws Exception {
    try (SimNetwork world = SimNetwork.builder().virtualTime().build()) {
      world.run(() -> {
        try (MockServer server = MockServer.builder().network(world).start();
            HttpClient client = HttpClient.builder()
                .network(world.lasting())
                .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress()))
                .build()) {
          server.answer("/", MockResponse.ok("hello").after(Duration.ofSeconds(1)));
          Request request = Request.get(server.url("/"));
          for (CompletableFuture<String> answer :
              start(1_000, client, request, world.threadFactory())) {
            assertEquals("hello", answer.get());
          }
        }
      });
    }
  }
}
