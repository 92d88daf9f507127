package heddle.adapters.jdk;

import heddle.adapters.jdk.Exchanges.Answer;
import heddle.adapters.jdk.Exchanges.EndedException;
import heddle.adapters.support.CallScope;
import heddle.adapters.support.TimeLimit;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A call of the JDK's client. Can be made once. */
final class JdkCall<T> {
  private final Shared shared;
  private final HttpRequest request;
  private final BodyHandler<T> handler;
  private final CallScope<Throwable> scope = new CallScope<>();
  private final Exchanges<T> exchanges;

  /** The outcome of the call, even if the caller has stopped waiting for it. */
  private final CompletableFuture<HttpResponse<T>> outcome = new CompletableFuture<>();

  /** Completed when delivery has ended: with the failure, or null at the end of the content. */
  private final CompletableFuture<@Nullable Throwable> delivered = new CompletableFuture<>();

  /**
   * @throws IllegalArgumentException if the request could not have been built
   */
  JdkCall(Shared shared, HttpRequest request, BodyHandler<T> handler) {
    this.shared = shared;
    this.request = Messages.checked(request);
    this.handler = Objects.requireNonNull(handler, "responseBodyHandler");
    this.exchanges = new Exchanges<>(shared, this.request, scope);
  }

  // ---- blocking

  /**
   * Makes the call on the calling thread.
   *
   * @throws IOException a new exception per call
   */
  HttpResponse<T> send() throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the call was made");
    }
    shared.calls().begin(this);
    startTimer();
    try {
      deliver(exchanges.run(), Signals.DIRECT);
      return outcome.get();
    } catch (InterruptedException e) {
      abort(new IOException("the thread that made the call was interrupted"));
      over(e);
      throw e;
    } catch (ExecutionException e) {
      throw Failures.fresh(Objects.requireNonNullElse(e.getCause(), e));
    } catch (IOException | RuntimeException | Error e) {
      Throwable explained = explained(e);
      over(explained);
      throw Failures.fresh(explained);
    }
  }

  // ---- asynchronous

  /** Makes the call on a virtual thread. */
  CompletableFuture<HttpResponse<T>> start() {
    CompletableFuture<HttpResponse<T>> answer = new CancellableFuture<>(() -> abort(cancelled()));
    try {
      shared.calls().begin(this);
    } catch (IOException e) {
      answer.completeExceptionally(e);
      return answer;
    }
    var _ = outcome.whenComplete((response, failure) ->
        answer.defaultExecutor().execute(() -> tell(answer, response, failure)));
    startTimer();
    Thread.ofVirtual().name("heddle-jdk-call").start(this::run);
    return answer;
  }

  /**
   * Completes the future. Dependent stages must occupy neither Heddle's threads nor the client's
   * executor, so they run on the default executor of futures. They see a failure in a {@code
   * CompletionException}, as stages of stages do.
   */
  private static <T> void tell(
      CompletableFuture<HttpResponse<T>> answer,
      @Nullable HttpResponse<T> response,
      @Nullable Throwable failure) {
    if (failure == null) {
      answer.complete(response);
    } else {
      answer.completeExceptionally(new CompletionException(failure));
    }
  }

  /** The exception that callers of the JDK's client expect. */
  private static CancellationException cancelled() {
    CancellationException cancelled = new CancellationException("the call was cancelled");
    cancelled.initCause(new IOException("Request cancelled"));
    return cancelled;
  }

  private void run() {
    try {
      Answer<T> answer = exchanges.run();
      Signals signals = Signals.on(shared.settings().executor());
      boolean done = false;
      try {
        signals.run(() -> deliver(answer, signals));
        done = true;
      } finally {
        if (!done) {
          answer.response().close();
        }
      }
    } catch (InterruptedException | IOException | RuntimeException | Error e) {
      over(explained(e));
    }
  }

  // ---- the response

  private void deliver(Answer<T> answer, Signals signals) {
    if (answer.refusesTunnel()) {
      outcome.complete(answer.withBody(null));
      over(null);
      return;
    }
    boolean done = false;
    try {
      BodySubscriber<T> subscriber = Objects.requireNonNull(
          handler.apply(answer.head()), "the BodyHandler returned null instead of a subscriber");
      Delivery<T> delivery = new Delivery<>(
          answer.response().body(), subscriber, answer.isSized(), signals, delivered::complete);
      Throwable ended = scope.answered(delivery::fail);
      if (ended != null) {
        delivery.fail(ended);
      }
      delivery.start();
      var _ = subscriber.getBody().whenComplete((body, failure) -> {
        if (failure == null) {
          outcome.complete(answer.withBody(body));
        } else {
          outcome.completeExceptionally(Failures.unwrapped(failure));
        }
      });
      // Registered last: content may fail or be cancelled while a subscriber starts that still has
      // a body, such as a stream that reports the failure.
      var _ = delivered.thenAccept(this::over);
      done = true;
    } finally {
      if (!done) {
        closeQuietly(answer);
      }
    }
  }

  private void closeQuietly(Answer<T> answer) {
    try {
      answer.response().close();
    } catch (IOException e) {
      // The connection is closed anyway, and the handler's exception is more informative.
      return;
    }
  }

  private Throwable explained(Throwable failure) {
    if (failure instanceof EndedException ended) {
      return ended.reason();
    }
    Throwable published = exchanges.publisherFailure();
    return published == null ? Failures.of(failure, exchanges.spokeHttp2()) : published;
  }

  // ---- ending

  /** Aborts the call. From any thread; does nothing once the call is over. */
  void abort(Throwable because) {
    scope.end(because);
  }

  /**
   * Called when the call is over.
   *
   * @param failure why there is no response, if there is none yet; null if there will be one
   */
  private void over(@Nullable Throwable failure) {
    if (failure != null) {
      outcome.completeExceptionally(failure);
    }
    shared.calls().end(this);
  }

  private void startTimer() {
    Duration timeout = request.timeout().orElse(null);
    if (timeout != null) {
      long nanos = TimeUnit.NANOSECONDS.convert(timeout);
      TimeLimit limit = new TimeLimit(nanos, () -> Thread.startVirtualThread(this::timedOut));
      limit.begin();
      var _ = outcome.whenComplete((response, failure) -> limit.end());
    }
  }

  private void timedOut() {
    IOException late = lateness();
    // A response that was returned may be read without a limit.
    if (outcome.completeExceptionally(late)) {
      abort(late);
    }
  }

  private IOException lateness() {
    if (exchanges.isConnected()) {
      return new HttpTimeoutException("request timed out");
    }
    IOException late = new HttpConnectTimeoutException("HTTP connect timed out");
    late.initCause(new ConnectException("HTTP connect timed out"));
    return late;
  }
}
