package heddle.adapters.aws;

import heddle.adapters.support.CallScope;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkCancellationException;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/**
 * An asynchronous call of the SDK. A virtual thread makes it, and then publishes the content of the
 * response as its subscriber requests it.
 */
final class AsyncCall {
  private final HttpClient client;
  private final Contents contents;
  private final AsyncExecuteRequest request;
  private final SdkAsyncHttpResponseHandler handler;
  private final PoolMetrics metrics;
  private final Set<AsyncCall> running;
  private final CompletableFuture<Void> outcome = new CompletableFuture<>();
  private final CallScope<IOException> scope = new CallScope<>();
  private final AtomicBoolean failed = new AtomicBoolean();

  /** The thread that is starting the call. It must not wait for the subscriber. */
  private volatile @Nullable Thread starter;

  /**
   * @param running holds the call until it is over
   */
  AsyncCall(
      HttpClient client,
      Contents contents,
      AsyncExecuteRequest request,
      PoolMetrics metrics,
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
      Request head = head();
      follow(head, client.sendAsync(head));
    } catch (RuntimeException e) {
      running.remove(this);
      fail(e);
    }
    return outcome;
  }

  private void follow(Request head, CompletableFuture<Response> answer) {
    var _ = outcome.whenComplete((nothing, failure) -> {
      running.remove(this);
      if (failure != null) {
        end(failure);
        answer.cancel(true);
      }
    });
    starter = Thread.currentThread();
    var _ = answer.whenComplete((response, failure) -> answered(head, response, failure));
    starter = null;
  }

  private Request head() {
    if (request.fullDuplex()) {
      throw new UnsupportedOperationException(
          "full-duplex calls, such as those of event streams in both directions, are not supported:"
              + " use the SDK's Netty or CRT client for them");
    }
    return Messages.request(
        request.request(),
        contents.published(request.request(), request.requestContentPublisher(), this::stalled));
  }

  private void stalled(IOException reason) {
    fail(reason);
  }

  /** Fails the call because the client was closed and has stopped waiting for it. */
  void clientClosed() {
    fail(new IOException("the client was closed before the call ended"));
  }

  // ---- the response

  private void answered(Request head, @Nullable Response response, @Nullable Throwable failure) {
    if (response == null) {
      fail(failure == null ? new IOException("there is no response") : explained(failure));
    } else if (Thread.currentThread() == starter) {
      // The response arrived at once. Publishing it may block, so another thread does it.
      Thread.ofVirtual().name("heddle-aws-response").start(() -> handOver(head, response));
    } else {
      handOver(head, response);
    }
  }

  private void handOver(Request head, Response response) {
    ContentPublisher publisher = new ContentPublisher(!Messages.isWithoutContent(head, response));
    try (response) {
      IOException ended = scope.answered(because -> {
        publisher.end(because);
        response.close();
      });
      if (ended != null) {
        publisher.end(ended);
        response.close();
        throw ended;
      }
      if (metrics.isWanted()) {
        metrics.report(client.pool(), head.origin());
      }
      handler.onHeaders(Messages.head(response));
      handler.onStream(publisher);
      publisher.publish(response.body());
      outcome.complete(null);
    } catch (ContentPublisher.CancelledException e) {
      outcome.completeExceptionally(new SdkCancellationException(
          "the subscriber cancelled before all of the content was published"));
    } catch (IOException | RuntimeException | Error e) {
      Throwable told = explained(e);
      publisher.fail(told);
      fail(told);
    }
  }

  private Throwable explained(Throwable failure) {
    IOException ended = scope.reason();
    if (ended != null) {
      return ended;
    }
    return failure instanceof IOException e ? Explained.of(e) : failure;
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
  private void end(Throwable because) {
    IOException reason = because instanceof IOException e
        ? e
        : new IOException("the call was ended: " + because, because);
    scope.end(reason);
  }
}
