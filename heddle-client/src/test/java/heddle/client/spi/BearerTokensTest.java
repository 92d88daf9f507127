package heddle.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tokens that are fetched when they are needed, by one call for all. */
@Timeout(60)
class BearerTokensTest {
  @AutoClose
  private final MockServer server;

  /** What the server accepts. */
  private volatile String valid = "1";

  private final AtomicInteger fetches = new AtomicInteger();

  BearerTokensTest() throws Exception {
    server = MockServer.start();
  }

  @BeforeEach
  void guard() {
    server.handler(request -> ("Bearer " + valid).equals(request.header("Authorization"))
        ? MockResponse.ok(request.text())
        : MockResponse.of(401));
  }

  private Origin origin() throws IOException {
    return Request.get(server.url("/")).origin();
  }

  private HttpClient client(BearerTokens.Source source) throws IOException {
    return HttpClient.builder()
        .interceptor(BearerTokens.forOrigin(origin(), source))
        .build();
  }

  private HttpClient client() throws IOException {
    return client(() -> String.valueOf(fetches.incrementAndGet()));
  }

  @Test
  void tokenIsFetchedOnceAndAgainWhenItIsRefused() throws Exception {
    try (HttpClient client = client()) {
      for (int i = 0; i < 3; i++) {
        client.get(server.url("/")).requireSuccess().close();
      }
      assertEquals(1, fetches.get());
      assertEquals(3, server.requests().size());
      valid = "2";
      assertEquals("again", client.post(server.url("/"), Body.of("again")).string());
      assertEquals(2, fetches.get());
      assertEquals(5, server.requests().size());
    }
  }

  @Test
  void refusalOfANewTokenReachesTheCaller() throws Exception {
    valid = "none";
    try (HttpClient client = client();
        Response response = client.get(server.url("/"))) {
      assertEquals(401, response.status().code());
      assertEquals(2, fetches.get());
      assertEquals(2, server.requests().size());
    }
  }

  @Test
  void contentThatCannotBeRepeatedIsSentOnce() throws Exception {
    valid = "none";
    try (HttpClient client = client();
        Response response =
            client.post(server.url("/"), Body.of(new ByteArrayInputStream(new byte[10])))) {
      assertEquals(401, response.status().code());
      assertEquals(1, server.requests().size());
    }
  }

  /** A login at the same origin, by the same client. */
  @Test
  void requestThatFetchesATokenNeedsNone() throws Exception {
    AtomicReference<HttpClient> own = new AtomicReference<>();
    server.answer("/login", MockResponse.ok("1"));
    try (HttpClient client = client(() -> own.get().get(server.url("/login")).string())) {
      own.set(client);
      client.get(server.url("/")).requireSuccess().close();
      assertNull(server.takeRequest().header("Authorization"));
      assertEquals("Bearer 1", server.takeRequest().header("Authorization"));
    }
  }

  @Test
  void refusalOfAnotherOriginIsNone() throws Exception {
    try (MockServer other = MockServer.start();
        HttpClient client = client()) {
      other.handler(request -> MockResponse.of(401));
      server.handler(request -> MockResponse.of(302).header("Location", other.url("/")));
      try (Response response = client.get(server.url("/"))) {
        assertEquals(401, response.status().code());
      }
      assertEquals(1, fetches.get());
    }
  }

  @Test
  void otherOriginsAndOtherCredentialsAreLeftAlone() throws Exception {
    try (MockServer other = MockServer.start();
        HttpClient client = client()) {
      client.get(other.url("/")).close();
      assertNull(other.takeRequest().header("Authorization"));
      Request own =
          client.request(server.url("/")).header("Authorization", "Bearer own").build();
      client.send(own).close();
      assertEquals("Bearer own", server.takeRequest().header("Authorization"));
      assertEquals(0, fetches.get());
    }
  }

  @Test
  void manyCallsFetchOneTokenTogether() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    AtomicReference<Thread> fetching = new AtomicReference<>();
    try (HttpClient client = client(() -> {
      fetching.set(Thread.currentThread());
      asked.countDown();
      await(answer);
      return String.valueOf(fetches.incrementAndGet());
    })) {
      List<FutureTask<Integer>> calls = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        calls.add(new FutureTask<>(() -> {
          try (Response response = client.get(server.url("/"))) {
            return response.status().code();
          }
        }));
        threads.add(Thread.ofVirtual().start(calls.getLast()));
      }
      await(asked);
      threads.stream()
          .filter(thread -> !thread.equals(fetching.get()))
          .forEach(BearerTokensTest::awaitWaiting);
      answer.countDown();
      for (FutureTask<Integer> call : calls) {
        assertEquals(200, call.get());
      }
      assertEquals(1, fetches.get());
    }
  }

  @Test
  void callsThatWaitFailWithTheFetchAndALaterOneTriesAgain() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    try (HttpClient client = client(() -> {
      if (fetches.getAndIncrement() == 0) {
        asked.countDown();
        await(answer);
        throw new IOException("no one is at home");
      }
      return "1";
    })) {
      FutureTask<Response> first = call(client);
      Thread.ofVirtual().start(first);
      await(asked);
      FutureTask<Response> second = call(client);
      Thread waiting = Thread.ofVirtual().start(second);
      awaitWaiting(waiting);
      answer.countDown();
      Throwable own = assertThrows(ExecutionException.class, first::get).getCause();
      assertEquals("no one is at home", own.getMessage());
      Throwable shared = assertThrows(ExecutionException.class, second::get).getCause();
      assertTrue(shared.getMessage().contains("no one is at home"), shared::getMessage);
      client.get(server.url("/")).requireSuccess().close();
    }
  }

  /** The call that fetches is given up, not those that wait. */
  @Test
  void interruptOfTheCallThatFetchesIsItsOwn() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (HttpClient client = client(() -> {
      if (fetches.getAndIncrement() == 0) {
        asked.countDown();
        try {
          new CompletableFuture<>().get();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("given up");
        } catch (ExecutionException e) {
          throw new IOException(e);
        }
      }
      return "1";
    })) {
      FutureTask<Response> first = call(client);
      Thread fetching = Thread.ofVirtual().start(first);
      await(asked);
      FutureTask<Response> second = call(client);
      Thread waiting = Thread.ofVirtual().start(second);
      awaitWaiting(waiting);
      fetching.interrupt();
      assertInstanceOf(
          InterruptedIOException.class,
          assertThrows(ExecutionException.class, first::get).getCause());
      try (Response response = second.get()) {
        assertEquals(200, response.status().code());
      }
    }
  }

  /** Returns when the thread waits for the token of another call, or has ended. */
  private static void awaitWaiting(Thread thread) {
    boolean waits = false;
    while (!waits && thread.isAlive()) {
      waits = Arrays.stream(thread.getStackTrace())
          .anyMatch(frame -> frame.getClassName().endsWith("BearerTokens")
              && frame.getMethodName().equals("await"));
    }
  }

  private FutureTask<Response> call(HttpClient client) {
    return new FutureTask<>(() -> client.get(server.url("/")));
  }

  private static void await(CountDownLatch latch) throws InterruptedIOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }
}
