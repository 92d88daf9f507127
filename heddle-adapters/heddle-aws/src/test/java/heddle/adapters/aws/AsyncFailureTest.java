package heddle.adapters.aws;

import static heddle.adapters.aws.AsyncClientTest.failureOf;
import static heddle.adapters.aws.AsyncClientTest.ioFailureOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.ConnectionLostException;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tcp.TcpNetwork;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.SdkCancellationException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;

/** Failures of asynchronous calls, and where they are reported. */
@Timeout(60)
class AsyncFailureTest {
  private static SdkHttpRequest get(int port) {
    return Wire.HTTP_1_1.request(port, SdkHttpMethod.GET, "/").build();
  }

  /** What happens to a call whose response has begun, and does not go on. */
  private interface Visit {
    void to(Async call, CompletableFuture<Void> outcome) throws Exception;
  }

  /** The server's script ends when the client has closed the connection, and not before. */
  private static void visitBegun(Async call, Visit visit) throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun");
          c.drain();
        });
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      visit.to(call, call.execute(client, get(peer.port())));
      peer.awaitScripts();
    }
  }

  @Test
  void cancellingTheSubscriptionClosesTheConnectionAndEndsTheFuture() throws Exception {
    visitBegun(new Async(), (call, outcome) -> {
      call.first.get();
      call.subscription.get().cancel();
      assertInstanceOf(SdkCancellationException.class, failureOf(outcome));
      assertEquals(0, call.ends.get());
      assertFalse(call.streamError.isDone());
      assertEquals(0, call.errors.get());
    });
  }

  @Test
  void cancellingFromWithinASignalEndsTheCall() throws Exception {
    Async call = new Async() {
      @Override
      void onNext(ByteBuffer bytes) {
        super.onNext(bytes);
        subscription.join().cancel();
      }
    };
    visitBegun(
        call,
        (begun, outcome) -> assertInstanceOf(SdkCancellationException.class, failureOf(outcome)));
  }

  @Test
  void cancellingTheFutureWhileContentIsReadTellsHandlerAndSubscriberOnce() throws Exception {
    visitBegun(new Async(), (call, outcome) -> {
      call.first.get();
      outcome.cancel(true);
      Throwable told = call.streamError.get();
      assertSame(told, call.error.get());
      assertEquals(1, call.errors.get());
    });
  }

  @Test
  void cancellingTheFutureEndsAWaitForDemand() throws Exception {
    visitBegun(new Async(0), (call, outcome) -> {
      call.subscription.get();
      outcome.cancel(false);
      assertNotNull(call.streamError.get());
      assertNotNull(call.error.get());
    });
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void cancellingTheFutureBeforeTheResponseAbortsTheCall(Wire wire) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (MockServer server = wire.serve(request -> {
          asked.countDown();
          return MockResponse.fault(MockFault.blackHole());
        });
        SdkAsyncHttpClient client = wire.over(HeddleAsyncHttpClient.builder()).build()) {
      Async call = new Async();
      CompletableFuture<Void> outcome =
          call.execute(client, wire.request(server, SdkHttpMethod.GET, "/").build());
      asked.await();
      outcome.cancel(true);
      assertNotNull(call.error.get());
      assertEquals(1, call.errors.get());
      assertEquals(0, call.heads.get());
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void truncatedContentFailsSubscriberHandlerAndFuture(Wire wire) throws Exception {
    try (MockServer server = wire.serve(
            request -> MockResponse.ok(new byte[200_000]).with(MockFault.cutInBody(100_000)));
        SdkAsyncHttpClient client = wire.over(HeddleAsyncHttpClient.builder()).build()) {
      Async call = new Async();
      Throwable failure = failureOf(
          call.execute(client, wire.request(server, SdkHttpMethod.GET, "/").build()));
      assertInstanceOf(ConnectionLostException.class, failure);
      assertSame(failure, call.streamError.get());
      assertSame(failure, call.error.get());
      assertEquals(1, call.errors.get());
      assertEquals(0, call.ends.get());
    }
  }

  @Test
  void silentServerIsAReadTimeout() throws Exception {
    try (MockServer server =
            Wire.HTTP_1_1.serve(request -> MockResponse.fault(MockFault.blackHole()));
        SdkAsyncHttpClient client =
            HeddleAsyncHttpClient.builder().readTimeout(Duration.ofMillis(300)).build()) {
      Async call = new Async();
      Throwable late = assertInstanceOf(
          SocketTimeoutException.class, ioFailureOf(call.execute(client, get(server.port()))));
      String message = String.valueOf(late.getMessage());
      assertTrue(message.contains("for 300 ms; raise readTimeout of"), message);
      assertEquals(1, call.errors.get());
    }
  }

  @Test
  void serverThatAcceptsNoBytesOfTheRequestIsAWriteTimeout() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> {
          c.expectHead();
          c.pauseReading();
          failed.await();
          c.resumeReading();
          c.drain();
        });
        SdkAsyncHttpClient client =
            HeddleAsyncHttpClient.builder().writeTimeout(Duration.ofMillis(300)).build()) {
      Async call = new Async();
      SdkHttpRequest request =
          Wire.HTTP_1_1.request(peer.port(), SdkHttpMethod.PUT, "/").build();
      Throwable failure = failureOf(call.execute(client, request, Async.of(new byte[50_000_000])));
      assertInstanceOf(SocketTimeoutException.class, failure);
      assertTrue(failure.getMessage().contains("raise writeTimeout of"), failure.getMessage());
      assertSame(failure, call.error.get());
      assertEquals(1, call.errors.get());
      failed.countDown();
    }
  }

  @Test
  void failureOfTheRequestsPublisherIsTheCause() throws Exception {
    RuntimeException fault = new IllegalStateException("no more");
    SdkHttpContentPublisher failing = new SdkHttpContentPublisher() {
      @Override
      public Optional<Long> contentLength() {
        return Optional.of(10L);
      }

      @Override
      public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Subscription() {
          @Override
          public void request(long count) {
            subscriber.onError(fault);
          }

          @Override
          public void cancel() {}
        });
      }
    };
    try (MockServer server = Wire.HTTP_1_1.serve(request -> MockResponse.ok("x"));
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      Async call = new Async();
      Throwable failure = failureOf(call.execute(
          client, Wire.HTTP_1_1.request(server, SdkHttpMethod.PUT, "/").build(), failing));
      Throwable cause = failure;
      while (cause != null && cause != fault) {
        cause = cause.getCause();
      }
      assertSame(fault, cause, () -> "not caused by the publisher: " + failure);
    }
  }

  @Test
  void handlerThatThrowsFailsTheCall() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(request -> MockResponse.ok("x"));
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      RuntimeException fault = new IllegalStateException("not now");
      Async call = new Async() {
        @Override
        public void onHeaders(SdkHttpResponse response) {
          throw fault;
        }
      };
      assertSame(fault, failureOf(call.execute(client, get(server.port()))));
      assertSame(fault, call.error.get());
    }
  }

  @Test
  void subscriberThatThrowsFailsTheCall() throws Exception {
    RuntimeException fault = new IllegalStateException("not now");
    Async call = new Async() {
      @Override
      void onNext(ByteBuffer bytes) {
        throw fault;
      }
    };
    visitBegun(call, (begun, outcome) -> assertSame(fault, failureOf(outcome)));
  }

  @Test
  void closingTheClientEndsACallWhoseSubscriberRequestsNothing() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(request -> MockResponse.ok("x"))) {
      SdkAsyncHttpClient client = HeddleAsyncHttpClient.create();
      Async call = new Async(0);
      CompletableFuture<Void> outcome = call.execute(client, get(server.port()));
      call.subscription.get();
      client.close();
      client.close();
      assertTrue(failureOf(outcome).getMessage().contains("closed"));
      assertNotNull(call.streamError.get());
      assertInstanceOf(
          java.io.IOException.class, failureOf(new Async().execute(client, get(server.port()))));
    }
  }
}
