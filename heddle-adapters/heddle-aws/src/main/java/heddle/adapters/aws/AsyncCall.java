package heddle.adapters.aws;

import heddle.adapters.support.ContentDelivery;
import heddle.adapters.support.MessageFields;
import heddle.adapters.support.SocketFailures;
import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.Http2RequiredException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import software.amazon.awssdk.http.SdkCancellationException;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.metrics.MetricCollector;

/**
 * An asynchronous call of the SDK. A virtual thread makes it and calls the response handler, which
 * may block.
 */
final class AsyncCall {
  private final HttpClient client;
  private final Contents contents;
  private final AsyncExecuteRequest request;
  private final SdkAsyncHttpResponseHandler handler;
  private final @Nullable MetricCollector metrics;
  private final Set<AsyncCall> running;
  private final CompletableFuture<Void> outcome = new CompletableFuture<>();
  private final AtomicBoolean failed = new AtomicBoolean();

  /** Why the call was ended. Set before the delivery is read, and read after that is set. */
  private final AtomicReference<@Nullable IOException> ended = new AtomicReference<>();

  private volatile @Nullable ContentDelivery<ByteBuffer> delivery;

  /**
   * @param running holds the call until it is over
   */
  AsyncCall(
      HttpClient client,
      Contents contents,
      AsyncExecuteRequest request,
      @Nullable MetricCollector metrics,
      Set<AsyncCall> running) {
    this.client = client;
    this.contents = contents;
    this.request = request;
    this.handler = request.responseHandler();
    this.metrics = metrics;
    this.running = running;
  }

  /** Starts the call. Must be called once. */
  CompletableFuture<Void> start() {
    running.add(this);
    try {
      HttpCall call = client.newCall(head());
      var ignored = outcome.whenComplete((nothing, failure) -> {
        running.remove(this);
        if (failure != null) {
          end(call, failure);
        }
      });
      Thread.ofVirtual().name("heddle-aws-call").start(() -> run(call));
    } catch (RuntimeException e) {
      running.remove(this);
      fail(e);
    }
    return outcome;
  }

  private Request head() {
    Body content =
        contents.published(request.request(), request.requestContentPublisher(), this::fail);
    return Messages.request(
        request.request(), request.fullDuplex() ? Body.duplex(content::stream) : content);
  }

  /** Fails the call because the client was closed and has stopped waiting for it. */
  void clientClosed() {
    fail(new IOException("the client was closed before the call ended"));
  }

  // ---- the response

  private void run(HttpCall call) {
    try {
      handOver(call.request(), call.execute());
    } catch (IOException | RuntimeException | Error e) {
      Throwable told = explained(e);
      ContentDelivery<ByteBuffer> begun = delivery;
      if (begun != null) {
        begun.fail(told);
      }
      fail(told);
    }
  }

  private void handOver(Request head, Response response) throws IOException {
    boolean hasContent = MessageFields.mayHaveContent(head.method(), response);
    ContentDelivery<ByteBuffer> content = new ContentDelivery<>(
        hasContent ? response.body() : Body.empty(),
        AsyncCall::owned,
        true,
        this::explained,
        this::delivered);
    delivery = content;
    if (!hasContent) {
      response.close();
    }
    IOException because = ended.get();
    if (because != null) {
      throw because;
    }
    if (metrics != null) {
      PoolMetrics.report(metrics, client.pool(), head.origin());
    }
    handler.onHeaders(Messages.head(response));
    handler.onStream(FlowAdapters.toPublisher(content));
  }

  /** Some subscribers use the array of a buffer. */
  private static ByteBuffer owned(ByteBuffer buffer) {
    return buffer.isReadOnly()
        ? ByteBuffer.allocate(buffer.remaining()).put(buffer).flip()
        : buffer;
  }

  private void delivered(@Nullable Throwable failure) {
    if (failure == null) {
      outcome.complete(null);
    } else if (failure instanceof ContentDelivery.CancelledException) {
      outcome.completeExceptionally(new SdkCancellationException(
          "the subscriber cancelled before all of the content was published"));
    } else {
      fail(failure);
    }
  }

  private Throwable explained(Throwable failure) {
    IOException because = ended.get();
    if (because == null && failure instanceof Http2RequiredException e) {
      return SocketFailures.caused(
          new IOException(
              e.problem() + "; set protocol(Protocol.HTTP2) of the HTTP client's builder"),
          e);
    }
    return because == null ? Messages.ADVICE.translate(failure) : because;
  }

  // ---- the end

  /** Reports a failure once, to the handler and the future. */
  private void fail(Throwable failure) {
    if (failed.compareAndSet(false, true)) {
      try {
        handler.onError(failure);
      } finally {
        outcome.completeExceptionally(failure);
      }
    }
  }

  /** Ends the call, because its future was completed. */
  private void end(HttpCall call, Throwable failure) {
    IOException because = failure instanceof IOException e
        ? e
        : new IOException("the call was ended: " + failure, failure);
    ended.compareAndSet(null, because);
    call.cancel();
    ContentDelivery<ByteBuffer> begun = delivery;
    if (begun != null) {
      begun.fail(because);
    }
  }
}
