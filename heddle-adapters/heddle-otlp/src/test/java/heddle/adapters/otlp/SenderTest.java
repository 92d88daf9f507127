package heddle.adapters.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.BodyTooLargeException;
import heddle.http.failure.ClientClosedException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a sender sends, and what it reports. */
@Timeout(60)
final class SenderTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  private Config config() {
    return new Config(server.url("/v1/traces"));
  }

  /** Sends one message and returns the result: a response or a failure. */
  private static Object outcome(HttpSender sender) throws Exception {
    CompletableFuture<Object> told = new CompletableFuture<>();
    sender.send(Config.message("spans"), told::complete, told::complete);
    return told.get();
  }

  private static Object outcome(Config config) throws Exception {
    HttpSender sender = new HeddleHttpSenderProvider().createSender(config);
    try {
      return outcome(sender);
    } finally {
      sender.shutdown();
    }
  }

  @Test
  void messageIsPostedWithItsFields() throws Exception {
    server.enqueue(MockResponse.of(202).body("taken"));
    HttpResponse answer = assertInstanceOf(
        HttpResponse.class,
        outcome(config().headers(() -> Map.of("Authorization", List.of("Bearer x")))));
    assertEquals(202, answer.getStatusCode());
    assertArrayEquals("taken".getBytes(UTF_8), answer.getResponseBody());
    RecordedRequest sent = server.takeRequest();
    assertEquals("POST", sent.method());
    assertEquals("/v1/traces", sent.target());
    assertEquals("spans", sent.text());
    assertEquals("application/x-protobuf", sent.header("Content-Type"));
    assertEquals("Bearer x", sent.header("Authorization"));
  }

  @Test
  void messageIsCompressedAsConfigured() throws Exception {
    server.enqueue(MockResponse.of(200));
    outcome(config().compressor(Config.GZIP));
    RecordedRequest sent = server.takeRequest();
    assertEquals("gzip", sent.header("Content-Encoding"));
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(sent.body()))) {
      assertEquals("spans", new String(in.readAllBytes(), UTF_8));
    }
  }

  @Test
  void fieldsAreRequestedForEachMessage() throws Exception {
    server.answer("/v1/traces", MockResponse.of(200));
    AtomicInteger number = new AtomicInteger();
    HttpSender sender = new HeddleHttpSender(
        config().headers(() -> Map.of("X-Number", List.of("" + number.incrementAndGet()))));
    outcome(sender);
    outcome(sender);
    sender.shutdown();
    assertEquals("1", server.takeRequest().header("X-Number"));
    assertEquals("2", server.takeRequest().header("X-Number"));
  }

  @Test
  void messageIsSentOnAVirtualThreadWhileTheCallerGoesOn() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    server.handler(request -> {
      mayAnswer.await();
      return MockResponse.of(200);
    });
    CompletableFuture<Thread> writer = new CompletableFuture<>();
    HttpSender sender = new HeddleHttpSender(config().headers(() -> {
      writer.complete(Thread.currentThread());
      return Map.of();
    }));
    CompletableFuture<Object> told = new CompletableFuture<>();
    sender.send(Config.message("spans"), told::complete, told::complete);
    assertFalse(told.isDone());
    mayAnswer.countDown();
    assertInstanceOf(HttpResponse.class, told.get());
    assertTrue(writer.get().isVirtual());
    sender.shutdown();
  }

  @Test
  void executorThatWasGivenIsUsedAndStaysItsOwners() throws Exception {
    server.answer("/v1/traces", MockResponse.of(200));
    CompletableFuture<Thread> mine = new CompletableFuture<>();
    CompletableFuture<Thread> writer = new CompletableFuture<>();
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      executor.execute(() -> mine.complete(Thread.currentThread()));
      outcome(config().executor(executor).headers(() -> {
        writer.complete(Thread.currentThread());
        return Map.of();
      }));
      assertSame(mine.get(), writer.get());
      assertFalse(executor.isShutdown());
    }
  }

  @Test
  void executorThatTakesNothingIsAFailure() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    executor.shutdown();
    assertInstanceOf(RejectedExecutionException.class, outcome(config().executor(executor)));
  }

  @Test
  void exceptionsOfTheMessageAreAFailure() throws Exception {
    CompletableFuture<Object> told = new CompletableFuture<>();
    IOException broken = new IOException("no span is to be had");
    HttpSender sender = new HeddleHttpSender(config());
    sender.send(Config.failing(broken), told::complete, told::complete);
    assertSame(broken, told.get());
    sender.shutdown();
    assertEquals(0, server.connections());
  }

  @Test
  void timeoutHoldsForTheWhole() throws Exception {
    server.enqueue(MockResponse.fault(MockFault.blackHole()));
    Throwable late = assertInstanceOf(
        SocketTimeoutException.class, outcome(config().timeout(Duration.ofMillis(200))));
    String message = String.valueOf(late.getMessage());
    assertTrue(message.contains("; raise setTimeout of the exporter's builder"), message);
  }

  @Test
  void refusedConnectionIsAFailure() throws Exception {
    server.close();
    assertInstanceOf(ConnectException.class, outcome(config()));
  }

  @Test
  void responseBeyondTheLimitIsAFailure() throws Exception {
    server.enqueue(MockResponse.ok("12345"));
    server.enqueue(MockResponse.ok("1234"));
    assertInstanceOf(BodyTooLargeException.class, outcome(config().maxResponse(4)));
    assertInstanceOf(HttpResponse.class, outcome(config().maxResponse(4)));
  }

  @Test
  void statusCountsThoughTheContentIsLost() throws Exception {
    server.enqueue(MockResponse.ok("12345").with(MockFault.cutInBody(2)));
    HttpResponse answer = assertInstanceOf(HttpResponse.class, outcome(config()));
    assertEquals(200, answer.getStatusCode());
    assertEquals(0, answer.getResponseBody().length);
  }

  @Test
  void senderThatWasShutDownSendsNoMore() throws Exception {
    HttpSender sender = new HeddleHttpSender(config());
    CountDownLatch closed = new CountDownLatch(1);
    sender.shutdown().whenComplete(closed::countDown);
    closed.await();
    assertTrue(sender.shutdown().isSuccess());
    assertInstanceOf(ClientClosedException.class, outcome(sender));
  }
}
