package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The signals that subscribers get for a response's content. */
@Timeout(60)
class BodiesTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(server.url(path))).version(Version.HTTP_1_1);
  }

  /** Records its signals, and requests what the test says. */
  private static final class Keeping implements BodySubscriber<String> {
    final CompletableFuture<String> body = new CompletableFuture<>();
    final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    final LinkedBlockingQueue<List<ByteBuffer>> items = new LinkedBlockingQueue<>();
    final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    @Override
    public CompletionStage<String> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      items.add(item);
    }

    @Override
    public void onError(Throwable thrown) {
      failure.complete(thrown);
      body.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      body.complete("complete");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aHandlerIsAppliedOnceAndBuffersAreReadOnly(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(new byte[100_000]));
    for (String path : List.of("/small", "/large")) {
      server.answer("/small", MockResponse.ok("small"));
      AtomicInteger applied = new AtomicInteger();
      Keeping keeping = new Keeping();
      try (HttpClient client = stack.client()) {
        BodyHandler<String> handler = head -> {
          applied.incrementAndGet();
          assertEquals(200, head.statusCode());
          return keeping;
        };
        CompletableFuture<?> answer = client.sendAsync(to(path).build(), handler);
        keeping.subscription.get().request(Long.MAX_VALUE);
        answer.get();
      }
      assertEquals(1, applied.get());
      for (List<ByteBuffer> item : keeping.items) {
        item.forEach(buffer -> assertTrue(buffer.isReadOnly()));
        assertThrows(UnsupportedOperationException.class, () -> item.add(ByteBuffer.allocate(1)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noMoreIsDeliveredThanRequested(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(new byte[3_000_000]));
    Keeping keeping = new Keeping();
    try (HttpClient client = stack.client()) {
      CompletableFuture<?> answer = client.sendAsync(to("/").build(), head -> keeping);
      Flow.Subscription subscription = keeping.subscription.get();
      int bytes = 0;
      while (bytes < 3_000_000) {
        assertEquals(0, keeping.items.size());
        subscription.request(1);
        bytes += keeping.items.take().stream().mapToInt(ByteBuffer::remaining).sum();
      }
      answer.get();
      assertEquals(3_000_000, bytes);
      assertEquals(0, keeping.items.size());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void requestingZeroIsAnError(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(new byte[1_000_000]));
    for (long count : new long[] {0, -1}) {
      Keeping keeping = new Keeping();
      try (HttpClient client = stack.client()) {
        CompletableFuture<?> answer = client.sendAsync(to("/").build(), head -> keeping);
        keeping.subscription.get().request(count);
        assertInstanceOf(IllegalArgumentException.class, keeping.failure.get());
        ExecutionException failed = assertThrows(ExecutionException.class, answer::get);
        assertInstanceOf(IllegalArgumentException.class, failed.getCause());
      }
    }
  }

  /** Callers cannot see whether chunked content arrived with the head. */
  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void requestingZeroIsAnErrorOfEmptyChunkedContent(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok("").chunked());
    Keeping keeping = new Keeping();
    try (HttpClient client = stack.client()) {
      CompletableFuture<?> answer = client.sendAsync(to("/").build(), head -> keeping);
      keeping.subscription.get().request(-1);
      assertInstanceOf(IllegalArgumentException.class, keeping.failure.get());
      assertThrows(ExecutionException.class, answer::get);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatIsReadLaterIsThereBeforeItsEnd(Stack stack) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      read.await();
      connection.send("5\r\nhello\r\n0\r\n\r\n");
      connection.expectEnd();
    };
    try (ScriptedPeer peer = ScriptedPeer.inOrder(TcpNetwork.shared(), script);
        HttpClient client = stack.client()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(peer.url("/")))
          .version(Version.HTTP_1_1)
          .build();
      try (InputStream body = client.send(request, BodyHandlers.ofInputStream()).body()) {
        read.countDown();
        assertEquals("hello", new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMappingMayReadTheBody(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(new byte[500_000]));
    BodyHandler<Integer> counting =
        head -> BodySubscribers.mapping(BodySubscribers.ofInputStream(), BodiesTest::count);
    try (HttpClient client = stack.client()) {
      assertEquals(500_000, client.send(to("/").build(), counting).body());
      assertEquals(500_000, client.sendAsync(to("/").build(), counting).get().body());
    }
  }

  private static int count(InputStream stream) {
    try (stream) {
      return stream.readAllBytes().length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void theCallFailsWithWhatASubscriberThrows(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(new byte[100_000]));
    RuntimeException thrown = new IllegalStateException("no more");
    try (HttpClient client = stack.client()) {
      BodyHandler<byte[]> inHandler = head -> {
        throw thrown;
      };
      BodyHandler<Void> inNext = BodyHandlers.ofByteArrayConsumer(bytes -> {
        throw thrown;
      });
      for (BodyHandler<?> handler : List.of(inHandler, inNext)) {
        IOException failed =
            assertThrows(IOException.class, () -> client.send(to("/").build(), handler));
        assertSame(thrown, failed.getCause());
        assertEquals("no more", failed.getMessage());
        ExecutionException later = assertThrows(
            ExecutionException.class,
            () -> client.sendAsync(to("/").build(), handler).get());
        assertSame(thrown, later.getCause());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void nothingIsReportedAfterACancel(Stack stack) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
      untilOver(connection, over);
    };
    Keeping keeping = new Keeping();
    try (ScriptedPeer peer = ScriptedPeer.inOrder(TcpNetwork.shared(), script);
        HttpClient client = stack.client()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(peer.url("/")))
          .version(Version.HTTP_1_1)
          .build();
      CompletableFuture<?> answer = client.sendAsync(request, head -> keeping);
      Flow.Subscription subscription = keeping.subscription.get();
      subscription.request(1);
      keeping.items.take();
      keeping.body.complete("enough");
      answer.get();
      subscription.cancel();
      over.await();
      // The JDK's own client reports the connection's end if that comes first.
      assertFalse(keeping.failure.isDone());
    }
  }

  /** Not so with the JDK's own client, whose call never ends, and which never closes then. */
  @Test
  void cancellingBeforeThereIsABodyEndsTheCall() throws Exception {
    server.handler(request -> MockResponse.ok(new byte[3_000_000]));
    Keeping keeping = new Keeping();
    try (HttpClient client = Stack.HEDDLE.client()) {
      CompletableFuture<?> answer = client.sendAsync(to("/").build(), head -> keeping);
      Flow.Subscription subscription = keeping.subscription.get();
      subscription.request(1);
      keeping.items.take();
      subscription.cancel();
      ExecutionException failed = assertThrows(ExecutionException.class, answer::get);
      assertInstanceOf(IOException.class, failed.getCause());
    }
  }

  /** Makes its body of the first buffers, and wants no more. */
  private static final class First implements BodySubscriber<String> {
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

    @Override
    public CompletionStage<String> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
      given.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      subscription.join().cancel();
      body.complete("first");
    }

    @Override
    public void onError(Throwable thrown) {
      body.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      body.completeExceptionally(new AssertionError("there is no body"));
    }
  }

  @Test
  void aBodyThatIsMadeAfterCancellingIsTheCalls() throws Exception {
    server.answer("/small", MockResponse.ok("small"));
    server.handler(request -> MockResponse.ok(new byte[3_000_000]));
    try (HttpClient client = Stack.HEDDLE.client()) {
      for (String path : List.of("/small", "/large")) {
        assertEquals("first", client.send(to(path).build(), head -> new First()).body());
      }
    }
  }

  private static void untilOver(RawConnection connection, CountDownLatch over) throws IOException {
    assertFalse(connection.hasMore());
    over.countDown();
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aBodyThatIsCutShortIsAnIoException(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(new byte[100_000]).with(MockFault.cutInBody(50_000)));
    try (HttpClient client = stack.client()) {
      assertThrows(
          IOException.class, () -> client.send(to("/").build(), BodyHandlers.ofByteArray()));
      try (InputStream body =
          client.send(to("/").build(), BodyHandlers.ofInputStream()).body()) {
        assertThrows(IOException.class, body::readAllBytes);
      }
    }
  }
}
