package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.UnsupportedSchemeException;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.async.methods.SimpleRequestProducer;
import org.apache.hc.client5.http.async.methods.SimpleResponseConsumer;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.client5.http.nio.AsyncConnectionEndpoint;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ConnectionInitiator;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An asynchronous manager used without Apache's client. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class AsyncExchangeTest {
  private static final @Nullable FutureCallback<AsyncConnectionEndpoint> NO_CALLBACK = null;

  private static final ConnectionInitiator NO_THREADS =
      (name, remote, local, timeout, attachment, told) -> {
        throw new AssertionError("Apache's threads are not needed");
      };

  private static HttpRoute route(int port) {
    return new HttpRoute(new HttpHost("http", "localhost", port));
  }

  private static Future<AsyncConnectionEndpoint> lease(
      AsyncClientConnectionManager manager, HttpRoute route) {
    return manager.lease("id", route, null, null, NO_CALLBACK);
  }

  /** Sends content that waits for 100 (Continue), and counts how often it was requested. */
  private static final class Expecting implements AsyncClientExchangeHandler {
    private static final byte[] CONTENT = "hello".getBytes(StandardCharsets.US_ASCII);

    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger status = new AtomicInteger();
    final CountDownLatch released = new CountDownLatch(1);
    private volatile @Nullable Exception failure;

    @Override
    public void produceRequest(RequestChannel channel, HttpContext context)
        throws HttpException, IOException {
      BasicHttpRequest request = new BasicHttpRequest("POST", "/");
      request.addHeader("Expect", "100-continue");
      channel.sendRequest(request, new BasicEntityDetails(CONTENT.length, null), context);
    }

    @Override
    public int available() {
      return CONTENT.length;
    }

    @Override
    public void produce(DataStreamChannel channel) throws IOException {
      asked.incrementAndGet();
      channel.write(ByteBuffer.wrap(CONTENT));
      channel.endStream();
    }

    @Override
    public void consumeInformation(HttpResponse response, HttpContext context) {}

    @Override
    public void consumeResponse(
        HttpResponse response, @Nullable EntityDetails entity, HttpContext context) {
      status.set(response.getCode());
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
      channel.update(Integer.MAX_VALUE);
    }

    @Override
    public void consume(ByteBuffer piece) {}

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {}

    @Override
    public void cancel() {}

    @Override
    public void failed(Exception cause) {
      failure = cause;
    }

    @Override
    public void releaseResources() {
      released.countDown();
    }

    /** The last event, which comes after all others. */
    void awaitEnd() throws Exception {
      released.await();
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** After a failure, content that may never arrive is not awaited. */
  @ParameterizedTest
  @CsvSource({"200, 1", "307, 1", "399, 1", "400, 0", "413, 0", "503, 0"})
  void withheldContentIsRequestedOnlyIfItsRequestHasNotFailed(int status, int asked)
      throws Exception {
    Wire.HTTP_1.visit(
        Stack.HEDDLE,
        server -> {
          server.expectHead();
          server.sendResponse(status, "early");
          server.drain();
        },
        (running, url) -> {
          AsyncClientConnectionManager manager = running.manager();
          HttpRoute route = route(java.net.URI.create(url).getPort());
          AsyncConnectionEndpoint endpoint = lease(manager, route).get();
          HttpClientContext context = HttpClientContext.create();
          assertTrue(manager
              .connect(endpoint, NO_THREADS, null, null, context, NO_CALLBACK)
              .isDone());
          Expecting handler = new Expecting();
          endpoint.execute("id", handler, null, context);
          handler.awaitEnd();
          assertEquals(status, handler.status.get());
          assertEquals(asked, handler.asked.get());
          manager.release(endpoint, null, null);
          running.client().close(CloseMode.IMMEDIATE);
        });
  }

  @Test
  void aLeaseThatIsCancelledWhileItWaitsLeavesTheQueueAtOnce(MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(Stack.HEDDLE, 1, builder -> builder)) {
      server.answer("/", MockResponse.ok("ok"));
      HttpRoute route = route(server.port());
      AsyncConnectionEndpoint holder = lease(running.manager(), route).get();
      Future<AsyncConnectionEndpoint> waiting = lease(running.manager(), route);
      assertFalse(waiting.isDone());
      assertEquals(1, running.pool().getTotalStats().getPending());
      assertTrue(waiting.cancel(true));
      assertEquals(0, running.pool().getTotalStats().getPending());
      assertThrows(CancellationException.class, waiting::get);
      running.manager().release(holder, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  private static AsyncConnectionEndpoint connected(
      AsyncClientConnectionManager manager, HttpRoute route, @Nullable TlsConfig tls)
      throws Exception {
    AsyncConnectionEndpoint endpoint = lease(manager, route).get();
    return manager
        .connect(endpoint, NO_THREADS, null, tls, HttpClientContext.create(), NO_CALLBACK)
        .get();
  }

  private static Future<SimpleHttpResponse> send(
      AsyncConnectionEndpoint endpoint, HttpRoute route) {
    SimpleHttpRequest request = SimpleRequestBuilder.get()
        .setHttpHost(route.getTargetHost())
        .addHeader("Host", route.getTargetHost().toHostString())
        .build();
    return endpoint.execute(
        "id", SimpleRequestProducer.create(request), SimpleResponseConsumer.create(), null);
  }

  private static AsyncStack.Running start(HttpVersionPolicy policy) {
    return AsyncStack.start(Stack.HEDDLE, null, policy);
  }

  /** As on a connection of HTTP/1.1, which may be given back before all have been answered. */
  @Test
  void exchangesOfAnEndpointRunOneAfterTheOther(MockServer server) throws Exception {
    try (AsyncStack.Running running = start(HttpVersionPolicy.FORCE_HTTP_1)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      server.handler(request -> {
        asked.countDown();
        over.await();
        return MockResponse.ok("ok");
      });
      HttpRoute route = route(server.port());
      AsyncConnectionEndpoint endpoint = connected(running.manager(), route, null);
      List<Future<SimpleHttpResponse>> calls = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        calls.add(send(endpoint, route));
      }
      asked.await();
      running.manager().release(endpoint, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(0, running.leased());
      assertThrows(ConnectionShutdownException.class, () -> send(endpoint, route));
      over.countDown();
      for (Future<SimpleHttpResponse> call : calls) {
        assertEquals("ok", call.get().getBodyText());
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void exchangesOfAnEndpointAreConcurrentIfHttp2IsForced(MockServer server) throws Exception {
    try (AsyncStack.Running running = start(HttpVersionPolicy.FORCE_HTTP_2)) {
      CountDownLatch both = new CountDownLatch(2);
      server.handler(request -> {
        both.countDown();
        both.await();
        return MockResponse.ok("ok");
      });
      HttpRoute route = route(server.port());
      AsyncConnectionEndpoint endpoint = connected(running.manager(), route, null);
      Future<SimpleHttpResponse> first = send(endpoint, route);
      Future<SimpleHttpResponse> second = send(endpoint, route);
      assertEquals("ok", first.get().getBodyText());
      assertEquals("ok", second.get().getBodyText());
      running.manager().release(endpoint, null, TimeValue.NEG_ONE_MILLISECOND);
    }
  }

  @Test
  void closingAnEndpointEndsAllOfItsExchanges(MockServer server) throws Exception {
    try (AsyncStack.Running running = start(HttpVersionPolicy.FORCE_HTTP_1)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      server.handler(request -> {
        asked.countDown();
        over.await();
        return MockResponse.ok("late");
      });
      HttpRoute route = route(server.port());
      AsyncConnectionEndpoint endpoint = connected(running.manager(), route, null);
      Future<SimpleHttpResponse> first = send(endpoint, route);
      Future<SimpleHttpResponse> second = send(endpoint, route);
      asked.await();
      endpoint.close(CloseMode.IMMEDIATE);
      for (Future<SimpleHttpResponse> call : List.of(first, second)) {
        ExecutionException closed = assertThrows(ExecutionException.class, call::get);
        assertInstanceOf(ConnectionClosedException.class, closed.getCause());
      }
      over.countDown();
      assertEquals(1, server.requests().size());
      running.manager().release(endpoint, null, null);
    }
  }

  /** Closing the manager ends running exchanges, released or not. */
  @Test
  void closingAManagerEndsExchangesOfReleasedEndpoints(MockServer server) throws Exception {
    try (AsyncStack.Running running = start(HttpVersionPolicy.FORCE_HTTP_1)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      server.handler(request -> {
        asked.countDown();
        over.await();
        return MockResponse.ok("late");
      });
      HttpRoute route = route(server.port());
      AsyncConnectionEndpoint endpoint = connected(running.manager(), route, null);
      Future<SimpleHttpResponse> call = send(endpoint, route);
      asked.await();
      running.manager().release(endpoint, null, TimeValue.NEG_ONE_MILLISECOND);
      running.manager().close();
      ExecutionException closed = assertThrows(ExecutionException.class, call::get);
      assertInstanceOf(ConnectionClosedException.class, closed.getCause());
      over.countDown();
    }
  }

  /** Which a client passes on with each connection that it opens, and not with those left open. */
  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("deprecation") // it still works, with Apache's own too
  void theVersionPolicyOfAClientGoesBeforeThatOfItsManager(Stack stack, MockServer server)
      throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(
        stack, 20, builder -> builder.setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_2))) {
      server.answer("/", MockResponse.ok("ok"));
      for (int i = 0; i < 3; i++) {
        assertEquals(HttpVersion.HTTP_2, running.get(server.url("/")).getVersion());
      }
    }
  }

  @Test
  void whatATlsConfigAsksInVainFailsTheConnection() throws Exception {
    HttpRoute route = new HttpRoute(new HttpHost("https", "localhost", 1));
    TlsConfig versions = TlsConfig.custom().setSupportedProtocols("TLSv1.3").build();
    try (HeddleAsyncConnectionManager manager = HeddleConnectionManager.builder()
        .setTlsOptions(TlsOptions.builder().build())
        .buildAsync()) {
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> connected(manager, route, versions));
      assertInstanceOf(IllegalArgumentException.class, refused.getCause());
      String message = String.valueOf(refused.getCause().getMessage());
      assertTrue(message.startsWith("setTlsOptions and TlsConfig"), message);
    }
  }

  @Test
  void aSchemeThatIsNotKnownTakesNoLease() throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(Stack.HEDDLE, 1, builder -> builder)) {
      HttpRoute route = new HttpRoute(new HttpHost("gopher", "localhost", 70));
      ExecutionException refused =
          assertThrows(ExecutionException.class, lease(running.manager(), route)::get);
      assertInstanceOf(UnsupportedSchemeException.class, refused.getCause());
      assertEquals(0, running.leased());
    }
  }
}
