package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.Callers;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.nio.AsyncConnectionEndpoint;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exchange handlers of many exchanges, of which others end a good part, hear of their end once. */
@Timeout(120)
class AsyncStressTest {
  private static final int EXCHANGES = 600;
  private static final int LEASES = 60;
  private static final int ROOM = 7_000;
  private static final byte[] CONTENT = new byte[100_000];

  /** Events that arrive without a request. */
  private static final int UNASKED = 65_535;

  /** Sends content, reads content, and counts how it ends. */
  private static final class Handler implements AsyncClientExchangeHandler {
    final AtomicInteger completed = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicInteger released = new AtomicInteger();
    final AtomicInteger late = new AtomicInteger();
    final AtomicInteger tooMuch = new AtomicInteger();
    final CountDownLatch over = new CountDownLatch(1);
    private final ByteBuffer content = ByteBuffer.wrap(CONTENT);
    private int received;
    private int room = UNASKED;

    private void stillHere() {
      if (released.get() > 0) {
        late.incrementAndGet();
      }
    }

    @Override
    public void produceRequest(RequestChannel channel, HttpContext context)
        throws HttpException, java.io.IOException {
      stillHere();
      channel.sendRequest(
          new BasicHttpRequest("POST", "/"), new BasicEntityDetails(CONTENT.length, null), context);
    }

    @Override
    public int available() {
      return content.remaining();
    }

    @Override
    public void produce(DataStreamChannel channel) throws java.io.IOException {
      stillHere();
      channel.write(content);
      if (!content.hasRemaining()) {
        channel.endStream();
      }
    }

    @Override
    public void consumeInformation(HttpResponse response, HttpContext context) {
      stillHere();
    }

    @Override
    public void consumeResponse(
        HttpResponse response, @Nullable EntityDetails entity, HttpContext context) {
      stillHere();
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws java.io.IOException {
      room += ROOM;
      channel.update(ROOM);
    }

    @Override
    public void consume(ByteBuffer piece) {
      stillHere();
      room -= piece.remaining();
      received += piece.remaining();
      if (room < 0) {
        tooMuch.incrementAndGet();
      }
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {
      stillHere();
      assertEquals(CONTENT.length, received);
      completed.incrementAndGet();
    }

    @Override
    public void cancel() {
      late.incrementAndGet();
    }

    @Override
    public void failed(Exception cause) {
      stillHere();
      failed.incrementAndGet();
    }

    @Override
    public void releaseResources() {
      released.incrementAndGet();
      over.countDown();
    }
  }

  /** One caller: leases, connects, executes, and releases or cancels at some time. */
  private static void call(
      HeddleAsyncConnectionManager manager,
      HttpRoute route,
      Handler handler,
      Random chance,
      Wire wire)
      throws InterruptedException {
    Future<AsyncConnectionEndpoint> lease = manager.lease("id", route, null, null, null);
    AsyncConnectionEndpoint endpoint;
    try {
      endpoint = lease.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
    FutureCallback<AsyncConnectionEndpoint> noCallback = null;
    Future<AsyncConnectionEndpoint> connected = manager.connect(
        endpoint,
        (name, remote, local, timeout, attachment, told) -> {
          throw new AssertionError("Apache's threads are not needed");
        },
        null,
        null,
        HttpClientContext.create(),
        noCallback);
    assertTrue(connected.isDone());
    endpoint.execute("id", handler, null, HttpClientContext.create());
    int fate = chance.nextInt(4);
    for (int spins = chance.nextInt(2_000); fate < 2 && spins > 0; spins--) {
      Thread.onSpinWait();
    }
    switch (fate) {
      case 0 -> endpoint.close(CloseMode.IMMEDIATE);
      case 1 -> manager.release(endpoint, null, TimeValue.ZERO_MILLISECONDS);
      default -> {}
    }
    handler.over.await();
    if (handler.completed.get() > 0) {
      ProtocolVersion version = wire == Wire.HTTP_2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
      assertEquals(version, endpoint.getInfo().getProtocol());
    }
    manager.release(endpoint, null, null);
    manager.release(endpoint, null, null);
  }

  @ParameterizedTest
  @EnumSource
  void eachHandlerEndsOnceHoweverItsExchangeDoes(Wire wire) throws Exception {
    long seed = System.nanoTime();
    Random chance = new Random(seed);
    try (MockServer server = MockServer.start();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        HeddleAsyncConnectionManager manager = HeddleConnectionManager.builder()
            .setMaxConnTotal(LEASES)
            .setMaxConnPerRoute(LEASES)
            .setDefaultTlsConfig(
                TlsConfig.custom().setVersionPolicy(wire.policy).build())
            .buildAsync()) {
      server.handler(request -> MockResponse.ok(request.body()));
      HttpRoute route = new HttpRoute(new HttpHost("http", "localhost", server.port()));
      List<Handler> handlers = new ArrayList<>();
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < EXCHANGES; i++) {
        Handler handler = new Handler();
        Random own = new Random(chance.nextLong());
        handlers.add(handler);
        callers.add(executor.submit(() -> {
          call(manager, route, handler, own, wire);
          return null;
        }));
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
      int completed = 0;
      for (Handler handler : handlers) {
        String told = "seed " + seed + ": completed " + handler.completed + ", failed "
            + handler.failed + ", released " + handler.released + ", late " + handler.late;
        assertEquals(1, handler.released.get(), told);
        assertEquals(1, handler.completed.get() + handler.failed.get(), told);
        assertEquals(0, handler.late.get(), told);
        assertEquals(0, handler.tooMuch.get(), told);
        completed += handler.completed.get();
      }
      int whole = completed;
      assertTrue(whole >= EXCHANGES / 3, () -> "seed " + seed + ": only " + whole + " completed");
      assertEquals(0, manager.getTotalStats().getLeased());
      assertEquals(0, manager.getTotalStats().getPending());
    }
  }

  private static void sendFromMany(AsyncStack.Running running, String url) throws Exception {
    Callers.atOnce(8, random -> {
      for (int i = 0; i < 25; i++) {
        byte[] content = new byte[random.nextInt(1, 100_000)];
        random.nextBytes(content);
        SimpleHttpRequest post = SimpleRequestBuilder.post(url)
            .setBody(content, ContentType.APPLICATION_OCTET_STREAM)
            .build();
        assertEquals(
            String.valueOf(Arrays.hashCode(content)), running.send(post).get().getBodyText());
      }
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"FORCE_HTTP_1", "FORCE_HTTP_2"})
  void contentOfManyCallersIsNotMixedUp(HttpVersionPolicy policy) throws Exception {
    try (MockServer server = MockServer.start();
        AsyncStack.Running running = AsyncStack.start(Stack.HEDDLE, null, policy)) {
      server.handler(request -> MockResponse.ok(String.valueOf(Arrays.hashCode(request.body()))));
      sendFromMany(running, server.url("/"));
    }
  }
}
