package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.async.methods.SimpleResponseConsumer;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.StreamChannel;
import org.apache.hc.core5.http.nio.entity.AbstractBinAsyncEntityProducer;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.support.BasicRequestBuilder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How asynchronous requests end other than by a response. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class AsyncEndingsTest {
  /** More connections than requests that Apache repeats by default. */
  private static final int IDLE = 5;

  @ParameterizedTest
  @EnumSource
  void nobodyListens(Stack stack) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      ExecutionException refused = assertThrows(
          ExecutionException.class, () -> running.get("http://localhost:" + port + "/"));
      assertInstanceOf(HttpHostConnectException.class, refused.getCause());
      if (stack == Stack.HEDDLE) {
        assertInstanceOf(HttpException.class, refused.getCause().getCause());
      }
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theContentIsTruncated(Stack stack, MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      server.answer("/", MockResponse.ok("all of it").with(MockFault.cutInBody(3)));
      ExecutionException lost =
          assertThrows(ExecutionException.class, () -> running.get(server.url("/")));
      assertInstanceOf(IOException.class, lost.getCause());
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aCancelledRequestGivesItsEndpointBackAndIsNotRepeated(Stack stack, MockServer server)
      throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack, 20, builder -> builder)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      server.handler(request -> {
        asked.countDown();
        over.await();
        return MockResponse.ok("late");
      });
      Future<SimpleHttpResponse> call =
          running.send(SimpleRequestBuilder.get(server.url("/")).build());
      asked.await();
      assertTrue(call.cancel(true));
      assertThrows(CancellationException.class, call::get);
      AsyncStack.assertNothingIsLeased(running);
      over.countDown();
      server.answer("/after", MockResponse.ok("after"));
      assertEquals("after", running.get(server.url("/after")).getBodyText());
      assertEquals(2, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own looks at the time when an endpoint comes back
  void waitingTooLongForAConnectionTimesOut(Stack stack, MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack, 1, builder -> builder)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      server.handler(request -> {
        asked.countDown();
        over.await();
        return MockResponse.ok("ok");
      });
      Future<SimpleHttpResponse> holder =
          running.send(SimpleRequestBuilder.get(server.url("/")).build());
      asked.await();
      SimpleHttpRequest second = SimpleRequestBuilder.get(server.url("/")).build();
      second.setConfig(RequestConfig.custom()
          .setConnectionRequestTimeout(20, TimeUnit.MILLISECONDS)
          .build());
      ExecutionException late =
          assertThrows(ExecutionException.class, () -> running.send(second).get());
      assertInstanceOf(ConnectionRequestTimeoutException.class, late.getCause());
      over.countDown();
      assertEquals("ok", holder.get().getBodyText());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void cancellingWhileWaitingForAConnectionTakesNone(Stack stack, MockServer server)
      throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack, 1, builder -> builder)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      server.handler(request -> {
        asked.countDown();
        over.await();
        return MockResponse.ok("ok");
      });
      Future<SimpleHttpResponse> holder =
          running.send(SimpleRequestBuilder.get(server.url("/")).build());
      asked.await();
      Future<SimpleHttpResponse> waiting =
          running.send(SimpleRequestBuilder.get(server.url("/")).build());
      assertTrue(waiting.cancel(true));
      over.countDown();
      assertEquals("ok", holder.get().getBodyText());
      assertEquals("ok", running.get(server.url("/")).getBodyText());
      AsyncStack.assertNothingIsLeased(running);
      assertEquals(2, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRequestReleasesItsResourcesOnce(Stack stack, MockServer server) throws Exception {
    AtomicInteger released = new AtomicInteger();
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      server.answer("/", MockResponse.ok("ok"));
      AsyncEntityProducer content = new BasicAsyncEntityProducer("content") {
        @Override
        public void releaseResources() {
          released.incrementAndGet();
          super.releaseResources();
        }
      };
      SimpleHttpResponse response = running
          .client()
          .execute(
              new BasicRequestProducer(BasicRequestBuilder.post(server.url("/")).build(), content),
              SimpleResponseConsumer.create(),
              null)
          .get();
      assertEquals("ok", response.getBodyText());
      AsyncStack.assertNothingIsLeased(running);
      while (released.get() == 0) {
        Thread.onSpinWait(); // This happens last, after the future was completed.
      }
      assertEquals(1, released.get());
    }
  }

  /** Throws instead of producing anything. */
  static final class Failing extends AbstractBinAsyncEntityProducer {
    private final IOException own;

    Failing(IOException own) {
      super(0, ContentType.APPLICATION_OCTET_STREAM);
      this.own = own;
    }

    @Override
    protected int availableData() {
      return 1;
    }

    @Override
    protected void produceData(StreamChannel<ByteBuffer> channel) throws IOException {
      throw own;
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public void failed(Exception cause) {}
  }

  @ParameterizedTest
  @EnumSource
  void theCallerGetsWhatAProducerThrows(Stack stack, MockServer server) throws Exception {
    IOException own = new IOException("the disk is gone");
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      AsyncEntityProducer content = new Failing(own);
      Future<SimpleHttpResponse> call = running
          .client()
          .execute(
              new BasicRequestProducer(BasicRequestBuilder.post(server.url("/")).build(), content),
              SimpleResponseConsumer.create(),
              null);
      assertSame(own, assertThrows(ExecutionException.class, call::get).getCause());
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aThousandRequestsShareAFewConnections(Stack stack, MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack, 5, builder -> builder)) {
      server.answer("/", MockResponse.ok("ok"));
      List<Future<SimpleHttpResponse>> answers = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        answers.add(running.send(SimpleRequestBuilder.get(server.url("/")).build()));
      }
      for (Future<SimpleHttpResponse> answer : answers) {
        assertEquals("ok", answer.get().getBodyText());
      }
      assertTrue(server.connections() <= 5, () -> server.connections() + " connections");
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own leaves the future as it is
  void closingEndsWhatIsUnderWay(Stack stack, MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      Future<SimpleHttpResponse> call =
          running.send(SimpleRequestBuilder.get(server.url("/")).build());
      server.takeRequest();
      running.client().close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
      assertThrows(Exception.class, call::get);
    }
  }

  /** The server closes each connection after one response, and does not say so. */
  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own repeats it on another connection that was left open
  void aRepeatedRequestGetsANewConnection(Stack stack, MockServer server) throws Exception {
    CyclicBarrier together = new CyclicBarrier(IDLE);
    MockHandler answers = request -> {
      if (request.target().equals("/together")) {
        together.await();
      }
      return MockResponse.ok("answered");
    };
    server.handler(answers.oncePerConnection());
    try (AsyncStack.Running running = AsyncStack.start(stack, 20, builder -> builder)) {
      List<Future<SimpleHttpResponse>> calls = new ArrayList<>();
      for (int i = 0; i < IDLE; i++) {
        calls.add(running.send(SimpleRequestBuilder.get(server.url("/together")).build()));
      }
      for (Future<SimpleHttpResponse> call : calls) {
        assertEquals("answered", call.get().getBodyText());
      }
      assertEquals("answered", running.get(server.url("/")).getBodyText());
      assertEquals(IDLE + 2, server.requests().size());
    }
  }
}
