package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.UnsupportedSchemeException;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.client5.http.nio.AsyncConnectionEndpoint;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.reactor.ConnectionInitiator;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What whoever uses an asynchronous manager without Apache's client gets of it. */
@Timeout(60)
class AsyncExchangeTest {
  private static final @Nullable FutureCallback<AsyncConnectionEndpoint> NOBODY = null;

  private static final ConnectionInitiator NO_THREADS =
      (name, remote, local, timeout, attachment, told) -> {
        throw new AssertionError("nobody needs Apache's threads");
      };

  private static HttpRoute route(int port) {
    return new HttpRoute(new HttpHost("http", "localhost", port));
  }

  private static Future<AsyncConnectionEndpoint> lease(
      AsyncClientConnectionManager manager, HttpRoute route) {
    return manager.lease("id", route, null, null, NOBODY);
  }

  /** Sends content that waits for 100 (Continue), and says how often it was asked for it. */
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

    /** What it was told last comes last of all. */
    void awaitEnd() throws Exception {
      released.await();
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** Where it has failed nobody waits for content that may never come. */
  @ParameterizedTest
  @CsvSource({"200, 1", "307, 1", "399, 1", "400, 0", "413, 0", "503, 0"})
  void contentThatWasWithheldIsAskedForOnlyWhereItsRequestHasNotFailed(int status, int asked)
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
          assertTrue(
              manager.connect(endpoint, NO_THREADS, null, null, context, NOBODY).isDone());
          Expecting handler = new Expecting();
          endpoint.execute("id", handler, null, context);
          handler.awaitEnd();
          assertEquals(status, handler.status.get());
          assertEquals(asked, handler.asked.get());
          manager.release(endpoint, null, null);
          running.client().close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
        });
  }

  @Test
  void aLeaseThatIsCancelledWhileItWaitsLeavesTheQueueAtOnce() throws Exception {
    try (MockServer server = MockServer.start();
        AsyncStack.Running running = AsyncStack.start(Stack.HEDDLE, 1, builder -> builder)) {
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
