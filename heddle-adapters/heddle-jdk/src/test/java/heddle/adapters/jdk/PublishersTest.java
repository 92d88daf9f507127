package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tcp.TcpNetwork;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the content of requests gets from its publishers to the server. */
@Timeout(60)
class PublishersTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
    server.handler(request -> MockResponse.ok(Arrays.hashCode(request.body()) + ""));
  }

  private static HttpRequest post(String url, BodyPublisher content) {
    return HttpRequest.newBuilder(URI.create(url))
        .version(Version.HTTP_1_1)
        .POST(content)
        .build();
  }

  private String send(HttpClient client, BodyPublisher content) throws Exception {
    return client.send(post(server.url("/"), content), BodyHandlers.ofString()).body();
  }

  private static String hash(byte[] content) {
    return Arrays.hashCode(content) + "";
  }

  private static byte[] random(long seed, int length) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  @ParameterizedTest
  @EnumSource
  void contentInMemoryIsPublishedAnewForARedirect(Stack stack) throws Exception {
    byte[] content = random(1, 40_000);
    server.answer("/a", MockResponse.of(307).header("Location", "/b"));
    try (HttpClient client = stack
        .builder()
        .followRedirects(Redirect.ALWAYS)
        .proxy(HttpClient.Builder.NO_PROXY)
        .build()) {
      HttpRequest request = post(server.url("/a"), BodyPublishers.ofByteArray(content));
      assertEquals(hash(content), client.send(request, BodyHandlers.ofString()).body());
    }
    assertEquals(hash(content), hash(server.takeRequest().body()));
  }

  /** Gives one piece, and the other when the latch is open. */
  private static InputStream slow(CountDownLatch open) {
    return new InputStream() {
      private int pieces;

      @Override
      public int read() {
        throw new UnsupportedOperationException("a piece at a time");
      }

      @Override
      public int read(byte[] target, int offset, int size) throws IOException {
        pieces++;
        if (pieces > 2) {
          return -1;
        }
        if (pieces == 2) {
          try {
            open.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
        byte[] piece = (pieces == 1 ? "first" : "second").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(piece, 0, target, offset, piece.length);
        return piece.length;
      }
    };
  }

  /** The JDK's own client holds a piece back until its publisher has read the next. */
  @Test
  void contentLeavesAsItIsPublished() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.expect("5\r\nfirst\r\n");
      seen.countDown();
      connection.expect("6\r\nsecond\r\n0\r\n\r\n");
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nheard");
      connection.hasMore();
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = Stack.HEDDLE.client()) {
      HttpRequest request = post(peer.url("/"), BodyPublishers.ofInputStream(() -> slow(seen)));
      assertEquals("heard", client.send(request, BodyHandlers.ofString()).body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeContentOfEveryKindArrivesWhole(Stack stack, @TempDir Path folder) throws Exception {
    byte[] large = random(2, 3_000_000);
    Path file = Files.write(folder.resolve("large"), large);
    try (HttpClient client = stack.client()) {
      for (BodyPublisher each : List.of(
          BodyPublishers.ofByteArray(large),
          BodyPublishers.ofFile(file),
          BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)),
          BodyPublishers.ofByteArrays(List.of(large)),
          BodyPublishers.concat(
              BodyPublishers.ofByteArray(large, 0, 1_000_000),
              BodyPublishers.ofByteArray(large, 1_000_000, 2_000_000)))) {
        assertEquals(hash(large), send(client, each));
      }
    }
  }

  /** Publishes buffers on its own thread. */
  private static BodyPublisher later(List<ByteBuffer> buffers) {
    return BodyPublishers.fromPublisher(subscriber -> {
      SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
      publisher.subscribe(subscriber);
      Thread.ofVirtual().start(() -> {
        buffers.forEach(publisher::submit);
        publisher.close();
      });
    });
  }

  // The JDK's own client may lose a race against another thread.
  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void buffersOfAllKindsMayComeFromAnyThread(Stack stack) throws Exception {
    byte[] content = random(3, 5_000);
    ByteBuffer direct = ByteBuffer.allocateDirect(1_000).put(content, 0, 1_000).flip();
    List<ByteBuffer> buffers = List.of(
        ByteBuffer.allocate(0),
        direct,
        ByteBuffer.wrap(content, 1_000, 2_000),
        ByteBuffer.allocate(0),
        ByteBuffer.wrap(content).position(3_000).slice().asReadOnlyBuffer());
    try (HttpClient client = stack.client()) {
      assertEquals(hash(content), send(client, later(buffers)));
      assertEquals(hash(new byte[0]), send(client, later(List.of())));
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void unrequestedBuffersAreAccepted(Stack stack) throws Exception {
    BodyPublisher hasty = BodyPublishers.fromPublisher(subscriber -> {
      subscriber.onSubscribe(new Flow.Subscription() {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
      });
      for (int i = 0; i < 20; i++) {
        subscriber.onNext(ByteBuffer.wrap(new byte[] {(byte) i}));
      }
      subscriber.onComplete();
    });
    byte[] all = new byte[20];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    try (HttpClient client = stack.client()) {
      assertEquals(hash(all), send(client, hasty));
    }
  }

  // ---- the end, and demand

  @Test
  void aPublisherThatBlocksIsInterruptedWhenTheCallIsCancelled() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CompletableFuture<String> ended = new CompletableFuture<>();
    InputStream blocked = new FilterInputStream(InputStream.nullInputStream()) {
      @Override
      public int read(byte[] target, int offset, int size) throws IOException {
        reading.countDown();
        try {
          new CountDownLatch(1).await();
          return -1;
        } catch (InterruptedException e) {
          ended.complete("interrupted");
          throw new IOException(e);
        }
      }
    };
    try (HttpClient client = Stack.HEDDLE.client()) {
      CompletableFuture<?> call = client.sendAsync(
          post(server.url("/"), BodyPublishers.ofInputStream(() -> blocked)),
          BodyHandlers.ofString());
      reading.await();
      call.cancel(true);
      assertEquals("interrupted", ended.get());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aServerThatDoesNotReadHoldsThePublisherBack(Stack stack) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.pauseReading();
      read.await();
      connection.resumeReading();
      connection.drain();
    };
    AtomicLong asked = new AtomicLong();
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    Flow.Publisher<ByteBuffer> endless =
        subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
          @Override
          public void request(long count) {
            asked.addAndGet(count);
            for (long i = 0; i < count; i++) {
              subscriber.onNext(ByteBuffer.allocate(16 * 1024));
            }
          }

          @Override
          public void cancel() {
            cancelled.complete(null);
          }
        });
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack.client()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(peer.url("/")))
          .version(Version.HTTP_1_1)
          .timeout(Duration.ofSeconds(1))
          .POST(BodyPublishers.fromPublisher(endless))
          .build();
      assertThrows(IOException.class, () -> client.send(request, BodyHandlers.ofString()));
      cancelled.get();
      // As much as both sockets hold, which is a few MiB.
      assertTrue(asked.get() < 4_000, asked + " buffers of 16 KiB");
      read.countDown();
    }
  }
}
