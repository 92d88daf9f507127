package heddle.adapters.aws;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;

/** A call of the SDK's asynchronous client, and all of its events. */
class Async implements SdkAsyncHttpResponseHandler {
  final CompletableFuture<SdkHttpResponse> head = new CompletableFuture<>();
  final CompletableFuture<Publisher<ByteBuffer>> stream = new CompletableFuture<>();
  final CompletableFuture<Subscription> subscription = new CompletableFuture<>();
  final CompletableFuture<Throwable> error = new CompletableFuture<>();
  final CompletableFuture<Throwable> streamError = new CompletableFuture<>();
  final CompletableFuture<ByteBuffer> first = new CompletableFuture<>();
  final AtomicInteger heads = new AtomicInteger();
  final AtomicInteger streams = new AtomicInteger();
  final AtomicInteger errors = new AtomicInteger();
  final AtomicInteger buffers = new AtomicInteger();
  final AtomicInteger ends = new AtomicInteger();
  final AtomicInteger onPlatformThreads = new AtomicInteger();
  final ByteArrayOutputStream content = new ByteArrayOutputStream();

  private final long demand;

  /**
   * @param demand what is requested at the subscription; 0 for nothing
   */
  Async(long demand) {
    this.demand = demand;
  }

  /** Requests everything. */
  Async() {
    this(Long.MAX_VALUE);
  }

  CompletableFuture<Void> execute(SdkAsyncHttpClient client, SdkHttpRequest request) {
    return execute(client, request, of(new byte[0]));
  }

  CompletableFuture<Void> execute(
      SdkAsyncHttpClient client, SdkHttpRequest request, SdkHttpContentPublisher publisher) {
    return client.execute(AsyncExecuteRequest.builder()
        .request(request)
        .requestContentPublisher(publisher)
        .responseHandler(this)
        .build());
  }

  private void noteThread() {
    if (!Thread.currentThread().isVirtual()) {
      onPlatformThreads.incrementAndGet();
    }
  }

  @Override
  public void onHeaders(SdkHttpResponse response) {
    noteThread();
    heads.incrementAndGet();
    head.complete(response);
  }

  @Override
  public void onStream(Publisher<ByteBuffer> publisher) {
    noteThread();
    streams.incrementAndGet();
    stream.complete(publisher);
    publisher.subscribe(subscriber());
  }

  /** The subscriber of the content, whose signals this records. */
  Subscriber<ByteBuffer> subscriber() {
    return new Subscriber<>() {
      @Override
      public void onSubscribe(Subscription given) {
        Async.this.onSubscribe(given);
      }

      @Override
      public void onNext(ByteBuffer bytes) {
        Async.this.onNext(bytes);
      }

      @Override
      public void onError(Throwable failure) {
        streamError.complete(failure);
      }

      @Override
      public void onComplete() {
        ends.incrementAndGet();
      }
    };
  }

  void onSubscribe(Subscription given) {
    subscription.complete(given);
    if (demand > 0) {
      given.request(demand);
    }
  }

  void onNext(ByteBuffer bytes) {
    noteThread();
    buffers.incrementAndGet();
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    content.writeBytes(copy);
    first.complete(ByteBuffer.wrap(copy));
  }

  @Override
  public void onError(Throwable failure) {
    errors.incrementAndGet();
    error.complete(failure);
  }

  /** Publishes bytes in pieces of up to 100,000, as many as requested. */
  static SdkHttpContentPublisher of(byte[] bytes) {
    return new Pieces(ByteBuffer.wrap(bytes), Optional.of((long) bytes.length));
  }

  /** What it publishes is as long as it turns out to be. */
  static SdkHttpContentPublisher ofUnknownLength(byte[] bytes) {
    return new Pieces(ByteBuffer.wrap(bytes), Optional.empty());
  }

  private record Pieces(ByteBuffer bytes, Optional<Long> contentLength)
      implements SdkHttpContentPublisher {
    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
      subscriber.onSubscribe(new Subscription() {
        private final ByteBuffer rest = bytes.duplicate();
        private boolean publishing;
        private long wanted;
        private boolean over;

        @Override
        public void request(long count) {
          wanted += count;
          if (publishing) {
            return;
          }
          publishing = true;
          while (!over && wanted > 0 && rest.hasRemaining()) {
            wanted--;
            byte[] piece = new byte[Math.min(100_000, rest.remaining())];
            rest.get(piece);
            subscriber.onNext(ByteBuffer.wrap(piece));
          }
          publishing = false;
          if (!over && !rest.hasRemaining()) {
            over = true;
            subscriber.onComplete();
          }
        }

        @Override
        public void cancel() {
          over = true;
        }
      });
    }
  }
}
