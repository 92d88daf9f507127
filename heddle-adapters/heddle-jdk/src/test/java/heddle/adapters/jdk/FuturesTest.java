package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How futures of calls complete dependent stages, and on which threads. */
@Timeout(60)
class FuturesTest {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answering = new CountDownLatch(1);

  @AutoClose
  private ScriptedPeer peer;

  @BeforeEach
  void start() throws IOException {
    peer = ScriptedPeer.each(TcpNetwork.shared(), connection -> {
      String head = connection.expectHead();
      asked.countDown();
      if (head.startsWith("POST /cut")) {
        return;
      }
      if (head.startsWith("GET /answered")) {
        answering.await();
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
      }
      connection.drain();
    });
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(peer.url(path))).version(Version.HTTP_1_1);
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void stagesRunOnTheDefaultExecutorOfFutures(Stack stack) throws Exception {
    try (ExecutorService given = Executors.newCachedThreadPool();
        HttpClient client =
            stack.builder().proxy(HttpClient.Builder.NO_PROXY).executor(given).build()) {
      CompletableFuture<ForkJoinPool> where = client
          .sendAsync(to("/answered").build(), BodyHandlers.ofString())
          .thenApply(response -> ForkJoinTask.getPool());
      asked.await();
      answering.countDown();
      // Up to Java 24, futures use no pool where the common one has a single thread.
      boolean pooled = new CompletableFuture<>().defaultExecutor() == ForkJoinPool.commonPool();
      assertSame(pooled ? ForkJoinPool.commonPool() : null, where.get());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aStageSeesAFailureAsItSeesThatOfAnotherStage(Stack stack) throws Exception {
    try (HttpClient client = stack.client()) {
      HttpRequest request = to("/cut").POST(HttpRequest.BodyPublishers.noBody()).build();
      CompletableFuture<Throwable> seen = new CompletableFuture<>();
      var unused = client
          .sendAsync(request, BodyHandlers.ofString())
          .whenComplete((response, failure) -> seen.complete(failure));
      assertInstanceOf(CompletionException.class, seen.get());
      assertInstanceOf(IOException.class, seen.get().getCause());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aCancelledCallFailsWithACancellationOfTheRequest(Stack stack) throws Exception {
    try (HttpClient client = stack.client()) {
      CompletableFuture<HttpResponse<String>> answer =
          client.sendAsync(to("/silent").build(), BodyHandlers.ofString());
      CompletableFuture<String> body = answer.thenApply(HttpResponse::body);
      asked.await();
      assertTrue(body.cancel(true));
      Throwable cause = assertThrows(ExecutionException.class, answer::get).getCause();
      assertInstanceOf(CancellationException.class, cause);
      assertInstanceOf(IOException.class, cause.getCause());
      assertFalse(answer.isCancelled()); // This one was not cancelled.
    }
  }

  /** Whether a failure or one of its causes is an IOException with this message. */
  private static boolean says(Throwable failure, String... words) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      for (String word : words) {
        if (each instanceof IOException && word.equals(each.getMessage())) {
          return true;
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aClientThatWasShutDownSaysThatItIsClosed(Stack stack) throws Exception {
    try (HttpClient client = stack.client()) {
      CompletableFuture<?> begun = client.sendAsync(to("/silent").build(), BodyHandlers.ofString());
      asked.await();
      client.shutdownNow();
      assertTrue(says(assertThrows(ExecutionException.class, begun::get), "closed", "shutdownNow"));
      CompletableFuture<?> late = client.sendAsync(to("/silent").build(), BodyHandlers.ofString());
      ExecutionException refused = assertThrows(ExecutionException.class, late::get);
      assertEquals("closed", refused.getCause().getMessage());
    }
  }
}
