package heddle.adapters.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;
import software.amazon.awssdk.metrics.MetricCollector;

/** What the asynchronous client sends, receives and reports. */
@Timeout(60)
class AsyncClientTest {
  private static MockResponse echo(RecordedRequest request) {
    return MockResponse.ok(request.body()).header("X-Method", request.method());
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void handlerGetsHeadAndStreamOnceAndTheFutureEndsWithTheContent(Wire wire) throws Exception {
    try (MockServer server = wire.serve(request -> MockResponse.of(500).body("oh"));
        SdkAsyncHttpClient client = wire.over(HeddleAsyncHttpClient.builder()).build()) {
      for (int i = 0; i < 2; i++) {
        Async call = new Async();
        assertNull(call.execute(
                client, wire.request(server, SdkHttpMethod.GET, "/a//b").build())
            .get());
        assertEquals(500, call.head.get().statusCode());
        assertEquals("oh", call.content.toString(UTF_8));
        assertEquals(
            List.of(1, 1, 1, 0, 0),
            List.of(
                call.heads.get(),
                call.streams.get(),
                call.ends.get(),
                call.errors.get(),
                call.onPlatformThreads.get()));
      }
      assertEquals("/a//b", server.takeRequest().target());
      assertEquals(1, server.connections(), "kept after 500 too, as the SDK's own clients do");
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void contentOfAnySizeIsSentAndReceived(Wire wire) throws Exception {
    try (MockServer server = wire.serve(AsyncClientTest::echo);
        SdkAsyncHttpClient client = wire.over(HeddleAsyncHttpClient.builder()).build()) {
      SdkHttpRequest request = wire.request(server, SdkHttpMethod.PUT, "/").build();
      for (int length : new int[] {0, 5, 70_000, 1_500_000}) {
        byte[] content = noise(length);
        Async measured = new Async();
        measured.execute(client, request, Async.of(content)).get();
        assertArrayEquals(content, measured.content.toByteArray());
        Async unmeasured = new Async();
        unmeasured.execute(client, request, Async.ofUnknownLength(content)).get();
        assertArrayEquals(content, unmeasured.content.toByteArray());
      }
    }
  }

  @Test
  void lengthOfThePublisherIsSentAndContentBeyondItIsNot() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(AsyncClientTest::echo);
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      SdkHttpRequest.Builder request = Wire.HTTP_1_1.request(server, SdkHttpMethod.PUT, "/");
      new Async().execute(client, request.build(), Async.of(noise(9))).get();
      assertEquals("9", server.takeRequest().header("Content-Length"));
      Async cut = new Async();
      cut.execute(
              client, request.putHeader("Content-Length", "4").build(), Async.of(noise(250_000)))
          .get();
      assertEquals("4", server.takeRequest().header("Content-Length"));
      assertEquals(4, cut.content.size());
    }
  }

  @ParameterizedTest
  @CsvSource({"HEAD,200", "GET,204", "GET,304", "GET,200"})
  void streamOfAResponseWithoutContentEndsWithoutBuffers(SdkHttpMethod method, int status)
      throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(request -> MockResponse.of(status));
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      Async call = new Async(0);
      call.execute(client, Wire.HTTP_1_1.request(server, method, "/").build()).get();
      assertEquals(0, call.buffers.get());
      assertEquals(1, call.ends.get());
    }
  }

  // ---- demand

  @ParameterizedTest
  @EnumSource(Wire.class)
  void noMoreIsPublishedThanRequested(Wire wire) throws Exception {
    byte[] content = noise(2_000_000);
    AtomicLong asked = new AtomicLong();
    AtomicLong most = new AtomicLong();
    try (MockServer server = wire.serve(request -> MockResponse.ok(content));
        SdkAsyncHttpClient client = wire.over(HeddleAsyncHttpClient.builder()).build()) {
      Async call = new Async(0) {
        @Override
        void onSubscribe(Subscription given) {
          super.onSubscribe(given);
          ask();
        }

        private void ask() {
          asked.incrementAndGet();
          subscription.join().request(1);
        }

        @Override
        void onNext(ByteBuffer bytes) {
          super.onNext(bytes);
          most.accumulateAndGet(buffers.get() - asked.get(), Math::max);
          // Requested by another thread, so that the publisher must wait for it.
          Thread.ofVirtual().start(this::ask);
        }
      };
      call.execute(client, wire.request(server, SdkHttpMethod.GET, "/").build()).get();
      assertArrayEquals(content, call.content.toByteArray());
      assertEquals(0, most.get(), "buffers beyond those that were asked for");
      assertTrue(call.buffers.get() > 10, () -> call.buffers + " buffers");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void requestingZeroIsAFailure(long count) throws Exception {
    byte[] content = noise(2_000_000);
    try (MockServer server = Wire.HTTP_1_1.serve(request -> MockResponse.ok(content));
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      Async call = new Async(1);
      CompletableFuture<Void> outcome = call.execute(
          client, Wire.HTTP_1_1.request(server, SdkHttpMethod.GET, "/").build());
      call.first.get();
      call.subscription.get().request(count);
      assertInstanceOf(IllegalArgumentException.class, call.streamError.get());
      assertSame(call.streamError.get(), failureOf(outcome));
      assertSame(call.streamError.get(), call.error.get());
      assertEquals(1, call.errors.get());
    }
  }

  @Test
  void fewBuffersOfARequestAreRequestedAtATime() throws Exception {
    AtomicLong outstanding = new AtomicLong();
    AtomicLong most = new AtomicLong();
    int pieces = 200;
    SdkHttpContentPublisher publisher = new SdkHttpContentPublisher() {
      @Override
      public Optional<Long> contentLength() {
        return Optional.of(pieces * 50_000L);
      }

      @Override
      public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Subscription() {
          private int left = pieces;

          @Override
          public void request(long count) {
            most.accumulateAndGet(outstanding.addAndGet(count), Math::max);
            Thread.ofVirtual().start(() -> publish(count));
          }

          private synchronized void publish(long count) {
            for (long i = 0; i < count && left > 0; i++) {
              left--;
              outstanding.decrementAndGet();
              subscriber.onNext(ByteBuffer.allocate(50_000));
              if (left == 0) {
                subscriber.onComplete();
              }
            }
          }

          @Override
          public void cancel() {}
        });
      }
    };
    try (MockServer server = Wire.HTTP_1_1.serve(
            request -> MockResponse.ok(Integer.toString(request.body().length)));
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      Async call = new Async();
      call.execute(client, Wire.HTTP_1_1.request(server, SdkHttpMethod.PUT, "/").build(), publisher)
          .get();
      assertEquals("10000000", call.content.toString(UTF_8));
      assertTrue(most.get() <= 8, () -> most + " buffers were asked for at once");
    }
  }

  @Test
  void secondSubscriberIsRefused() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(request -> MockResponse.ok("x"));
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      Async call = new Async();
      call.execute(client, Wire.HTTP_1_1.request(server, SdkHttpMethod.GET, "/").build())
          .get();
      Async second = new Async();
      call.stream.get().subscribe(second.subscriber());
      assertInstanceOf(IllegalStateException.class, second.streamError.get());
    }
  }

  /** As in event streams in both directions. */
  @Test
  void fullDuplexCallPublishesItsContentWhileTheResponseArrives() throws Exception {
    ScriptedPeer.Script server = Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 200");
      assertEquals("one", UTF_8.decode(h2.expectData(stream).data()).toString());
      h2.sendData(stream, false, "first");
      assertEquals("two", UTF_8.decode(h2.expectData(stream).data()).toString());
      assertTrue(h2.expectData(stream).endStream());
      h2.sendData(stream, true, " second");
    });
    try (ScriptedPeer peer = ScriptedPeer.inOrder(TcpNetwork.shared(), server);
        SdkAsyncHttpClient client =
            Wire.HTTP_2.over(HeddleAsyncHttpClient.builder()).build();
        SubmissionPublisher<ByteBuffer> events = new SubmissionPublisher<>()) {
      Async call = new Async();
      CompletableFuture<Boolean> subscribed = new CompletableFuture<>();
      CompletableFuture<Void> outcome = client.execute(AsyncExecuteRequest.builder()
          .request(Wire.HTTP_2.request(peer.port(), SdkHttpMethod.POST, "/").build())
          .requestContentPublisher(ofUnknownLength(events, subscribed))
          .responseHandler(call)
          .fullDuplex(true)
          .build());
      assertEquals(200, call.head.get().statusCode());
      subscribed.get();
      events.submit(ByteBuffer.wrap("one".getBytes(UTF_8)));
      assertEquals("first", UTF_8.decode(call.first.get()).toString());
      events.submit(ByteBuffer.wrap("two".getBytes(UTF_8)));
      events.close();
      outcome.get();
      assertEquals("first second", call.content.toString(UTF_8));
    }
  }

  @Test
  void fullDuplexCallOverHttp11FailsWithTheReason() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(request -> MockResponse.ok("x"));
        SdkAsyncHttpClient client =
            Wire.HTTP_1_1.over(HeddleAsyncHttpClient.builder()).build()) {
      CompletableFuture<Void> outcome = client.execute(AsyncExecuteRequest.builder()
          .request(Wire.HTTP_1_1.request(server, SdkHttpMethod.POST, "/").build())
          .requestContentPublisher(Async.ofUnknownLength(new byte[10]))
          .responseHandler(new Async())
          .fullDuplex(true)
          .build());
      Throwable failure = failureOf(outcome);
      assertTrue(failure.getMessage().contains("needs HTTP/2"), failure::getMessage);
      assertTrue(failure.getMessage().contains("Protocol.HTTP2"), failure::getMessage);
      assertEquals(0, server.requests().size());
    }
  }

  private static SdkHttpContentPublisher ofUnknownLength(
      Flow.Publisher<ByteBuffer> publisher, CompletableFuture<Boolean> subscribed) {
    return new SdkHttpContentPublisher() {
      @Override
      public Optional<Long> contentLength() {
        return Optional.empty();
      }

      @Override
      public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        FlowAdapters.toPublisher(publisher).subscribe(subscriber);
        subscribed.complete(true);
      }
    };
  }

  // ---- what it does not do

  @Test
  void fieldThatWouldSplitTheRequestFailsTheCall() throws Exception {
    try (MockServer server = Wire.HTTP_1_1.serve(AsyncClientTest::echo);
        SdkAsyncHttpClient client = HeddleAsyncHttpClient.create()) {
      Async call = new Async();
      SdkHttpRequest request = Wire.HTTP_1_1
          .request(server, SdkHttpMethod.GET, "/")
          .putHeader("h", "foo\r\nbar")
          .build();
      assertInstanceOf(IllegalArgumentException.class, failureOf(call.execute(client, request)));
      assertEquals(1, call.errors.get());
      assertEquals(0, server.connections());
    }
  }

  @Test
  void poolIsReportedToWhoCollectsMetrics() throws Exception {
    try (MockServer server = Wire.HTTP_2.serve(AsyncClientTest::echo);
        SdkAsyncHttpClient client =
            Wire.HTTP_2.over(HeddleAsyncHttpClient.builder()).maxConcurrency(9).build()) {
      MetricCollector collector = MetricCollector.create("call");
      client
          .execute(AsyncExecuteRequest.builder()
              .request(Wire.HTTP_2.request(server, SdkHttpMethod.GET, "/").build())
              .requestContentPublisher(Async.of(new byte[0]))
              .responseHandler(new Async())
              .metricCollector(collector)
              .build())
          .get();
      var metrics = collector.collect();
      assertEquals(List.of("HeddleAsync"), metrics.metricValues(HttpMetric.HTTP_CLIENT_NAME));
      assertEquals(List.of(9), metrics.metricValues(HttpMetric.MAX_CONCURRENCY));
      int leased = metrics.metricValues(HttpMetric.LEASED_CONCURRENCY).getFirst();
      assertEquals(List.of(9 - leased), metrics.metricValues(HttpMetric.AVAILABLE_CONCURRENCY));
      assertEquals(List.of(0), metrics.metricValues(HttpMetric.PENDING_CONCURRENCY_ACQUIRES));
    }
  }

  static Throwable failureOf(CompletableFuture<?> outcome) {
    return assertThrows(ExecutionException.class, outcome::get).getCause();
  }

  static IOException ioFailureOf(CompletableFuture<?> outcome) {
    return assertInstanceOf(IOException.class, failureOf(outcome));
  }
}
