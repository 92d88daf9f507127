package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.adapters.support.TimeLimit;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import okio.ByteString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How content gets from a body to the server, whether in memory or as it is written. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class SendingTest {
  private static final int KIB = 1024;

  private static String post(Stack.Running running, String url, RequestBody body)
      throws IOException {
    Request request = new Request.Builder().url(HttpUrl.get(url)).post(body).build();
    try (Response response = running.client().newCall(request).execute()) {
      return response.body().string();
    }
  }

  /** Each stack with an announced content length, or -1. */
  static Stream<Arguments> lengths() {
    return with(-1L, 4L);
  }

  private static Stream<Arguments> with(Long... lengths) {
    return Stream.of(Stack.values())
        .flatMap(stack -> Stream.of(lengths).map(length -> Arguments.of(stack, length)));
  }

  static Stream<Arguments> knownLengths() {
    return with(4L, 1000L * KIB);
  }

  /** In memory, too much for that, and not known. */
  static Stream<Arguments> lengthsOfAllKinds() {
    return with(4L, 1000L * KIB, -1L);
  }

  @ParameterizedTest
  @EnumSource
  void contentIsWrittenAnewForEachRequestOfACall(Stack stack, MockServer server) throws Exception {
    byte[] content = new byte[40 * KIB];
    content[content.length - 1] = 1;
    List<Integer> written = new ArrayList<>();
    RequestBody body = new WrittenBody(content.length, sink -> {
      written.add(written.size());
      sink.write(content);
    });
    try (Stack.Running running = stack.start()) {
      server.enqueue(MockResponse.of(307).header("Location", "/there"));
      server.enqueue(MockResponse.of(503).header("Retry-After", "0"));
      server.enqueue(MockResponse.ok("taken"));
      assertEquals("taken", post(running, server.url("/"), body));
      for (int i = 0; i < 3; i++) {
        assertEquals(ByteString.of(content), ByteString.of(server.takeRequest().body()));
      }
    }
    assertEquals(List.of(0, 1, 2), written);
  }

  @ParameterizedTest
  @EnumSource
  void contentOfUnknownLengthLeavesAsItIsWritten(Stack stack) throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.expect("5\r\nfirst\r\n");
      seen.countDown();
      connection.expect("6\r\nsecond\r\n0\r\n\r\n");
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nheard");
      connection.hasMore();
    };
    RequestBody body = new WrittenBody(-1, sink -> {
      sink.writeUtf8("first").flush();
      await(seen);
      sink.writeUtf8("second");
    });
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        Stack.Running running = stack.start()) {
      assertEquals("heard", post(running, peer.url("/"), body));
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatWritesMoreThanItSaysIsStopped(Stack stack) throws Exception {
    for (int length : new int[] {100, 100 * KIB, 1000 * KIB}) {
      AtomicReference<IOException> told = new AtomicReference<>();
      RequestBody endless = new WrittenBody(length, sink -> {
        byte[] piece = new byte[8 * KIB];
        try {
          while (true) {
            sink.write(piece);
          }
        } catch (IOException e) {
          told.set(e);
          throw e;
        }
      });
      try (MockServer server = MockServer.start();
          Stack.Running running = stack.start()) {
        ProtocolException thrown =
            assertThrows(ProtocolException.class, () -> post(running, server.url("/"), endless));
        // The failure of streamed content reaches the writer shortly after the caller.
        if (length < 256 * KIB) {
          assertNotNull(told.get());
          assertSame(told.get(), thrown);
          int pieces = length / (8 * KIB) + 1;
          assertEquals(
              "expected " + length + " bytes but received " + pieces * 8 * KIB,
              thrown.getMessage());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void aBodyMayCloseWhatItWritesTo(Stack stack, long length, MockServer server) throws Exception {
    RequestBody body = new WrittenBody(length, sink -> {
      sink.writeUtf8("text");
      sink.close();
    });
    try (Stack.Running running = stack.start()) {
      server.handler(request -> MockResponse.ok(request.text()));
      assertEquals("text", post(running, server.url("/"), body));
    }
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void lateWritesAreRefused(Stack stack, long length, MockServer server) throws Exception {
    CompletableFuture<BufferedSink> kept = new CompletableFuture<>();
    RequestBody body = new WrittenBody(length, sink -> {
      sink.writeUtf8("text");
      kept.complete(sink);
    });
    try (Stack.Running running = stack.start()) {
      server.handler(request -> MockResponse.ok(request.text()));
      assertEquals("text", post(running, server.url("/"), body));
    }
    assertThrows(IllegalStateException.class, () -> kept.get().writeUtf8("more"));
  }

  @ParameterizedTest
  @MethodSource("lengthsOfAllKinds")
  void exceptionsOfABodyAreRethrown(Stack stack, long length) throws Exception {
    for (Throwable each : List.of(
        new IOException("mine"), new IllegalStateException("mine"), new AssertionError("mine"))) {
      AtomicInteger asked = new AtomicInteger();
      RequestBody body = new WrittenBody(length, sink -> {
        asked.incrementAndGet();
        sink.writeUtf8("te");
        switch (each) {
          case IOException e -> throw e;
          case RuntimeException e -> throw e;
          default -> throw (Error) each;
        }
      });
      try (MockServer server = MockServer.start();
          Stack.Running running = stack.start()) {
        assertSame(each, assertThrows(Throwable.class, () -> post(running, server.url("/"), body)));
      }
      assertEquals(1, asked.get());
    }
  }

  @ParameterizedTest
  @MethodSource("knownLengths")
  void aBodyThatWritesLessThanItSaysFailsItsCall(Stack stack, long length, MockServer server)
      throws Exception {
    RequestBody body = new WrittenBody(length, sink -> {
      for (long i = 1; i < length; i++) {
        sink.writeByte('x');
      }
    });
    try (Stack.Running running = stack.start()) {
      assertThrows(ProtocolException.class, () -> post(running, server.url("/"), body));
    }
  }

  /** As when the file that it reads is slow: only the server's slowness counts. */
  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aBodyMayTakeLongerThanWriting(Stack stack, MockServer server) throws Exception {
    OkHttpClient.Builder client = new OkHttpClient.Builder().writeTimeout(Duration.ofMillis(50));
    try (Stack.Running running = stack.over(client)) {
      server.handler(request -> MockResponse.ok(request.text()));
      for (long length : new long[] {-1, 4}) {
        RequestBody slow = new WrittenBody(length, sink -> {
          sink.writeUtf8("te").flush();
          CountDownLatch later = new CountDownLatch(1);
          new TimeLimit(TimeUnit.MILLISECONDS.toNanos(200), later::countDown).begin();
          await(later);
          sink.writeUtf8("xt");
        });
        assertEquals("text", post(running, server.url("/"), slow));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void writingABodyFailsWhenItsCallIsCancelled(Stack stack) throws Exception {
    CompletableFuture<IOException> told = new CompletableFuture<>();
    CountDownLatch over = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.pauseReading();
      over.await();
    };
    CompletableFuture<Call> began = new CompletableFuture<>();
    RequestBody endless = new WrittenBody(-1, sink -> {
      byte[] piece = new byte[8 * KIB];
      var unused = began.thenAcceptAsync(Call::cancel);
      try {
        while (true) {
          sink.write(piece);
        }
      } catch (IOException e) {
        told.complete(e);
        throw e;
      }
    });
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        Stack.Running running = stack.start()) {
      Request request =
          new Request.Builder().url(HttpUrl.get(peer.url("/"))).post(endless).build();
      Call call = running.client().newCall(request);
      began.complete(call);
      assertThrows(IOException.class, call::execute);
      told.get();
      over.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aServerThatAcceptsNothingFailsInTime(Stack stack) throws Exception {
    byte[] megabyte = new byte[KIB * KIB];
    WrittenBody.Writing writing = sink -> {
      for (int i = 0; i < 200; i++) {
        sink.write(megabyte);
      }
    };
    CountDownLatch over = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.pauseReading();
      over.await();
    };
    OkHttpClient.Builder client = new OkHttpClient.Builder().writeTimeout(Duration.ofMillis(300));
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        Stack.Running running = stack.over(client)) {
      for (long length : new long[] {-1, 200L * KIB * KIB}) {
        SocketTimeoutException late = assertThrows(
            SocketTimeoutException.class,
            () -> post(running, peer.url("/"), new WrittenBody(length, writing)));
        assertEquals("timeout", late.getMessage());
      }
      over.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theTimeForWritingIsNotThatForAnswering(Stack stack, MockServer server) throws Exception {
    OkHttpClient.Builder client = new OkHttpClient.Builder().writeTimeout(Duration.ofMillis(200));
    try (Stack.Running running = stack.over(client)) {
      server.handler(request -> MockResponse.ok("slow").after(Duration.ofMillis(500)));
      for (long length : new long[] {-1, 4}) {
        assertEquals(
            "slow",
            post(
                running, server.url("/"), new WrittenBody(length, sink -> sink.writeUtf8("text"))));
      }
    }
  }
}
