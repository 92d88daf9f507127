package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cancelled calls, and closing of clients. */
@Timeout(60)
class CancelTest {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answering = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();

  @AutoClose
  private ScriptedPeer peer;

  @BeforeEach
  void start() throws IOException {
    peer = ScriptedPeer.each(TcpNetwork.shared(), connection -> {
      if (!connection.hasMore()) {
        return; // Shut down between the opening of the connection and the request.
      }
      String head = connection.expectHead();
      asked.countDown();
      if (head.startsWith("GET /stream")) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
      } else if (head.startsWith("GET /moved")) {
        connection.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 100000\r\n\r\n");
      } else if (head.startsWith("GET /there")) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
      } else if (head.startsWith("GET /later")) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        answering.await();
        connection.send("hello");
      } else if (head.startsWith("GET /answered")) {
        answering.await();
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        answered.countDown();
      }
      seen.add(connection.hasMore() ? "more" : "end");
    });
  }

  private HttpRequest to(String path) {
    return HttpRequest.newBuilder(URI.create(peer.url(path)))
        .version(Version.HTTP_1_1)
        .build();
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void cancellingWithTheFlagEndsTheExchange(Stack stack) throws Exception {
    HttpClient client = stack.client();
    CompletableFuture<?> answer = client.sendAsync(to("/silent"), BodyHandlers.ofString());
    asked.await();
    assertTrue(answer.cancel(true));
    assertInstanceOf(
        CancellationException.class,
        Failures.unwrapped(assertThrows(RuntimeException.class, answer::join)));
    assertEquals("end", seen.take());
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aStageThatFollowsCancelsToo(Stack stack) throws Exception {
    HttpClient client = stack.client();
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(to("/silent"), BodyHandlers.ofString());
    CompletableFuture<String> body = answer.thenApply(HttpResponse::body);
    asked.await();
    assertTrue(body.cancel(true));
    assertEquals("end", seen.take());
    assertInstanceOf(
        CancellationException.class,
        Failures.unwrapped(assertThrows(RuntimeException.class, answer::join)));
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void cancellingWithoutTheFlagDoesNotEndTheExchange(Stack stack) throws Exception {
    HttpClient client = stack.client();
    AtomicBoolean applied = new AtomicBoolean();
    CountDownLatch handled = new CountDownLatch(1);
    CompletableFuture<?> answer = client.sendAsync(to("/answered"), head -> {
      applied.set(true);
      handled.countDown();
      return BodySubscribers.ofString(StandardCharsets.UTF_8);
    });
    asked.await();
    assertTrue(answer.cancel(false));
    answering.countDown();
    handled.await();
    assertTrue(applied.get());
    client.close();
    assertEquals("end", seen.take());
    assertEquals(0, answered.getCount());
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void cancellingWhatIsCompleteLeavesTheBodyAlone(Stack stack) throws Exception {
    HttpClient client = stack.client();
    CompletableFuture<HttpResponse<InputStream>> answer =
        client.sendAsync(to("/later"), BodyHandlers.ofInputStream());
    try (InputStream body = answer.get().body()) {
      assertFalse(answer.cancel(true));
      answering.countDown();
      assertEquals("hello", new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void contentOfARedirectIsDiscarded(Stack stack) throws Exception {
    try (HttpClient client = stack
        .builder()
        .proxy(HttpClient.Builder.NO_PROXY)
        .followRedirects(Redirect.NORMAL)
        .build()) {
      assertEquals("hello", client.send(to("/moved"), BodyHandlers.ofString()).body());
      assertEquals("end", seen.take());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void anInterruptEndsTheExchange(Stack stack) throws Exception {
    HttpClient client = stack.client();
    LinkedBlockingQueue<Object> thrown = new LinkedBlockingQueue<>();
    Thread caller = Thread.ofVirtual().start(() -> {
      try {
        client.send(to("/silent"), BodyHandlers.ofString());
      } catch (InterruptedException | IOException e) {
        thrown.add(e);
        thrown.add(Thread.currentThread().isInterrupted());
      }
    });
    asked.await();
    caller.interrupt();
    assertInstanceOf(InterruptedException.class, thrown.take());
    assertEquals(false, thrown.take());
    assertEquals("end", seen.take());
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void anInterruptEndsTheWaitForContent(Stack stack) throws Exception {
    HttpClient client = stack.client();
    LinkedBlockingQueue<Object> thrown = new LinkedBlockingQueue<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread caller = Thread.ofVirtual().start(() -> {
      try {
        client.send(to("/stream"), head -> {
          begun.countDown();
          return BodySubscribers.ofString(StandardCharsets.UTF_8);
        });
      } catch (InterruptedException | IOException e) {
        thrown.add(e);
      }
    });
    begun.await();
    caller.interrupt();
    assertInstanceOf(InterruptedException.class, thrown.take());
    assertEquals("end", seen.take());
    client.close();
  }

  @Test
  void aCallCanBeEndedBeforeItsContentIsHandedOver() throws Exception {
    HttpClient client = Stack.HEDDLE.client();
    IOException ended = assertThrows(
        IOException.class,
        () -> client.send(to("/stream"), head -> {
          client.shutdownNow();
          return BodySubscribers.ofString(StandardCharsets.UTF_8);
        }));
    assertTrue(ended.getMessage().contains("shutdownNow"), ended.getMessage());
    assertEquals("end", seen.take());
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void anInterruptedThreadMakesNoCall(Stack stack) throws Exception {
    try (HttpClient client = stack.client()) {
      Thread.currentThread().interrupt();
      assertThrows(
          InterruptedException.class, () -> client.send(to("/silent"), BodyHandlers.ofString()));
      assertFalse(Thread.interrupted());
    }
    assertEquals(0, peer.connections());
  }

  // ---- clients

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aShutDownClientFinishesWhatItHasBegun(Stack stack) throws Exception {
    HttpClient client = stack.client();
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(to("/answered"), BodyHandlers.ofString());
    asked.await();
    assertFalse(client.isTerminated());
    client.shutdown();
    assertThrows(IOException.class, () -> client.send(to("/silent"), BodyHandlers.ofString()));
    assertTrue(client.sendAsync(to("/silent"), BodyHandlers.ofString()).isCompletedExceptionally());
    assertFalse(client.awaitTermination(Duration.ofMillis(50)));
    assertFalse(client.isTerminated());
    answering.countDown();
    assertEquals("hello", answer.get().body());
    assertTrue(client.awaitTermination(Duration.ofSeconds(30)));
    assertTrue(client.isTerminated());
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void shutdownNowEndsCallsAndBodies(Stack stack) throws Exception {
    HttpClient client = stack.client();
    InputStream body = client.send(to("/stream"), BodyHandlers.ofInputStream()).body();
    assertEquals('h', body.read());
    CompletableFuture<?> answer = client.sendAsync(to("/silent"), BodyHandlers.ofString());
    LinkedBlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> {
      try {
        client.send(to("/silent"), BodyHandlers.ofString());
      } catch (InterruptedException | IOException e) {
        thrown.add(e);
      }
    });
    while (peer.connections() < 3) {
      Thread.onSpinWait();
    }
    client.shutdownNow();
    assertThrows(IOException.class, body::readAllBytes);
    assertInstanceOf(IOException.class, thrown.take());
    assertInstanceOf(
        IOException.class, assertThrows(ExecutionException.class, answer::get).getCause());
    assertTrue(client.awaitTermination(Duration.ofSeconds(30)));
    assertTrue(client.isTerminated());
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void anInterruptWhileClosingEndsCalls(Stack stack) throws Exception {
    HttpClient client = stack.client();
    CompletableFuture<?> answer = client.sendAsync(to("/silent"), BodyHandlers.ofString());
    asked.await();
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<Thread> closer = new CompletableFuture<>();
      threads.execute(() -> {
        closer.complete(Thread.currentThread());
        client.close();
        closed.complete(Thread.currentThread().isInterrupted());
      });
      closer.get().interrupt();
      assertTrue(closed.get(30, TimeUnit.SECONDS)); // The JDK's client has been seen to lose it.
    }
    assertTrue(client.isTerminated());
    assertThrows(CompletionException.class, answer::join);
  }
}
