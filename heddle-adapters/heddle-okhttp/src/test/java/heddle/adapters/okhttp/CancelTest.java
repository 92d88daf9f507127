package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okio.AsyncTimeout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls end when they are cancelled and when their time is over, in each of their phases. */
@Timeout(60)
class CancelTest {
  private static OkHttpClient.Builder client() {
    return new OkHttpClient.Builder();
  }

  private static Call call(Stack.Running running, String url) {
    return running.client().newCall(new Request.Builder().url(url).build());
  }

  private static CompletableFuture<@Nullable IOException> failure(Call call) {
    CompletableFuture<@Nullable IOException> failure = new CompletableFuture<>();
    call.enqueue(new Callback() {
      @Override
      public void onFailure(Call failed, IOException e) {
        failure.complete(e);
      }

      @Override
      public void onResponse(Call answered, Response response) {
        response.close();
        failure.complete(null);
      }
    });
    return failure;
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatWaitsForItsAnswerIsCancelled(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.start()) {
      Call call = call(running, "http://localhost:" + silent.getLocalPort());
      CompletableFuture<@Nullable IOException> failure = failure(call);
      try (var accepted = silent.accept()) {
        assertTrue(accepted.getInputStream().read() >= 0);
        call.cancel();
        IOException cancelled = failure.get();
        assertNotNull(cancelled);
        assertTrue(call.isCanceled());
        // The server sees that the call has ended.
        while (accepted.getInputStream().read() >= 0) {
          assertFalse(failure.isCompletedExceptionally());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void allCallsOfADispatcherAreCancelled(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.start()) {
      CompletableFuture<@Nullable IOException> failure =
          failure(call(running, "http://localhost:" + silent.getLocalPort()));
      try (var accepted = silent.accept()) {
        assertTrue(accepted.getInputStream().read() >= 0);
        running.client().dispatcher().cancelAll();
        assertNotNull(failure.get());
      }
    }
  }

  /** Sends three of nine bytes, and waits until its client closes the connection. */
  private static Thread beginning(ServerSocket server) {
    return Thread.ofVirtual().start(() -> {
      try (var accepted = server.accept()) {
        assertTrue(accepted.getInputStream().read() >= 0);
        accepted
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nall"
                .getBytes(StandardCharsets.US_ASCII));
        accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatIsReadIsCancelled(Stack stack) throws Exception {
    Diary diary = new Diary();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.over(client().eventListener(diary))) {
      Thread served = beginning(server);
      Call call = call(running, "http://localhost:" + server.getLocalPort());
      try (Response response = call.execute()) {
        assertEquals('a', response.body().source().readByte());
        Thread canceller = Thread.ofVirtual().start(call::cancel);
        assertThrows(IOException.class, () -> response.body().string());
        canceller.join();
      }
      served.join();
      diary.await("canceled");
      assertTrue(tells(diary, "responseFailed "), diary.entries::toString);
      assertTrue(tells(diary, "callFailed "), diary.entries::toString);
    }
  }

  /** Whether there is such an entry: a cancel may be reported after the call has failed. */
  private static boolean tells(Diary diary, String beginning) {
    return diary.entries.stream().anyMatch(each -> each.startsWith(beginning));
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatWasCancelledBeforeItsBodyIsReadGivesNone(Stack stack) throws Exception {
    try (MockServer server = MockServer.start();
        Stack.Running running = stack.start()) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      Call call = call(running, server.url("/"));
      try (Response response = call.execute()) {
        call.cancel();
        assertThrows(IOException.class, () -> response.body().string());
      }
      assertTrue(call.isCanceled());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptOfACancelledCallStaysWithIt(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.start()) {
      Call call = call(running, "http://localhost:" + silent.getLocalPort());
      Thread canceller = Thread.ofVirtual().start(() -> {
        try (var accepted = silent.accept()) {
          accepted.getInputStream().read();
          call.cancel();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      assertThrows(IOException.class, call::execute);
      canceller.join();
      assertFalse(Thread.currentThread().isInterrupted());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTimeOfACallIsOverBeforeItsAnswer(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.over(client().callTimeout(Duration.ofMillis(200)))) {
      Call call = call(running, "http://localhost:" + silent.getLocalPort());
      InterruptedIOException late = assertThrows(InterruptedIOException.class, call::execute);
      assertEquals("timeout", late.getMessage());
      assertTrue(call.isCanceled());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTimeOfOneCallIsItsOwn(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.start()) {
      Call call = call(running, "http://localhost:" + silent.getLocalPort());
      call.timeout().timeout(200, TimeUnit.MILLISECONDS);
      assertEquals(
          "timeout", assertThrows(InterruptedIOException.class, call::execute).getMessage());
      Call deadline = call.clone();
      deadline.timeout().deadline(200, TimeUnit.MILLISECONDS);
      assertEquals(
          "timeout",
          assertThrows(InterruptedIOException.class, deadline::execute).getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTimeOfACallIsOverInItsBody(Stack stack) throws Exception {
    Diary diary = new Diary();
    try (MockServer server = MockServer.start();
        Stack.Running running =
            stack.over(client().callTimeout(Duration.ofMillis(500)).eventListener(diary))) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      Call call = call(running, server.url("/"));
      try (Response response = call.execute()) {
        IOException late = assertThrows(IOException.class, () -> response.body().string());
        assertInstanceOf(InterruptedIOException.class, late);
        assertEquals("timeout", late.getMessage());
      }
      assertTrue(call.isCanceled());
      diary.await("canceled");
      assertEquals(
          "callFailed InterruptedIOException", diary.without("canceled").getLast());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void theTimeOfACallIsOverThoughItsBodyHasCome(Stack stack) throws Exception {
    Duration time = Duration.ofMillis(500);
    CountDownLatch over = new CountDownLatch(1);
    AsyncTimeout watch = new AsyncTimeout() {
      @Override
      protected void timedOut() {
        over.countDown();
      }
    };
    try (MockServer server = MockServer.start();
        Stack.Running running = stack.over(client().callTimeout(time))) {
      server.answer("/", MockResponse.ok("all of it"));
      Call call = call(running, server.url("/"));
      InterruptedIOException late = assertThrows(InterruptedIOException.class, () -> {
        try (Response response = call.execute()) {
          watch.timeout(time.toMillis(), TimeUnit.MILLISECONDS);
          watch.enter();
          over.await();
          response.body().string();
        }
      });
      assertEquals("timeout", late.getMessage());
      assertTrue(call.isCanceled());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "STOCK, HTTP_1_1, Socket closed",
    "FACTORY, HTTP_1_1, Socket closed",
    "INTERCEPTOR, HTTP_1_1, Socket closed",
    "STOCK, H2_PRIOR_KNOWLEDGE, stream was reset: CANCEL",
    "FACTORY, H2_PRIOR_KNOWLEDGE, stream was reset: CANCEL",
    "INTERCEPTOR, H2_PRIOR_KNOWLEDGE, stream was reset: CANCEL"
  })
  void readingACancelledCallFailsAsWithOkHttp(Stack stack, Protocol protocol, String message)
      throws Exception {
    try (MockServer server = MockServer.start();
        Stack.Running running = stack.over(client().protocols(List.of(protocol)))) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      Call call = call(running, server.url("/"));
      try (Response response = call.execute()) {
        call.cancel();
        IOException told = assertThrows(IOException.class, () -> response.body().string());
        assertEquals(message, told.getMessage());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTimeOfACallThatIsReadInTimeHasNoEffectAfterwards(Stack stack) throws Exception {
    try (MockServer server = MockServer.start();
        Stack.Running running = stack.over(client().callTimeout(Duration.ofSeconds(20)))) {
      server.answer("/", MockResponse.ok("in time"));
      Call call = call(running, server.url("/"));
      try (Response response = call.execute()) {
        assertEquals("in time", response.body().string());
      }
      assertFalse(call.isCanceled());
    }
  }
}
