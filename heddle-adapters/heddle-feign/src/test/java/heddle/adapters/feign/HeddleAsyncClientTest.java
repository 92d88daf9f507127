package heddle.adapters.feign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import feign.AsyncFeign;
import feign.RequestLine;
import feign.Response;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Feign's asynchronous calls. */
@Timeout(60)
final class HeddleAsyncClientTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  /** What Feign makes a client of. */
  private interface Api {
    @RequestLine("GET /")
    CompletableFuture<String> get();
  }

  @Test
  void callIsMadeOnAVirtualThreadThatDecodesToo() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    server.handler(request -> {
      mayAnswer.await();
      return MockResponse.ok("x");
    });
    CompletableFuture<Thread> decoder = new CompletableFuture<>();
    try (HeddleAsyncClient<Object> client = HeddleAsyncClient.create()) {
      Api api = AsyncFeign.builder()
          .client(client)
          .decoder((response, type) -> {
            decoder.complete(Thread.currentThread());
            return "decoded";
          })
          .target(Api.class, server.url(""));
      CompletableFuture<String> answer = api.get();
      mayAnswer.countDown();
      assertEquals("decoded", answer.get());
      assertTrue(decoder.get().isVirtual());
    }
  }

  @Test
  void failureIsThatOfTheBlockingClient() throws Exception {
    server.enqueue(MockResponse.fault(MockFault.blackHole()));
    try (HeddleAsyncClient<Object> client = HeddleAsyncClient.create()) {
      CompletableFuture<Response> answer = client.execute(
          Calls.get(server.url("/")), Calls.options(5_000, 200, true), Optional.empty());
      ExecutionException failure = assertThrows(ExecutionException.class, answer::get);
      assertInstanceOf(SocketTimeoutException.class, failure.getCause());
    }
  }

  @Test
  void badRequestFailsTheFutureAndNotTheCaller() throws Exception {
    try (HeddleAsyncClient<Object> client = HeddleAsyncClient.create()) {
      CompletableFuture<Response> answer =
          client.execute(Calls.get(server.url("/"), "Bad: a\nb"), Calls.USUAL, Optional.empty());
      ExecutionException failure = assertThrows(ExecutionException.class, answer::get);
      assertInstanceOf(IllegalArgumentException.class, failure.getCause());
    }
  }

  @Test
  void cancellingTheFutureAbortsTheCall() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    server.handler(request -> {
      asked.countDown();
      return MockResponse.fault(MockFault.blackHole());
    });
    ExchangeListener watch = new ExchangeListener() {
      @Override
      public void callEnded(CallSummary summary) {
        ended.countDown();
      }
    };
    try (HeddleAsyncClient<Object> client =
        HeddleAsyncClient.with(builder -> builder.listener(watch))) {
      CompletableFuture<Response> answer =
          client.execute(Calls.get(server.url("/")), Calls.USUAL, Optional.empty());
      asked.await();
      answer.cancel(false);
      ended.await();
    }
  }
}
