package heddle.adapters.jdk;

import heddle.adapters.jdk.Exchanges.Answer;
import heddle.adapters.support.ContentDelivery;
import heddle.adapters.support.TimeLimit;
import heddle.http.Body;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A call of the JDK's client. Can be made once. */
final class JdkCall<T> {
  private final Shared shared;
  private final HttpRequest request;
  private final BodyHandler<T> handler;
  private final Exchanges<T> exchanges;
  private final @Nullable TimeLimit limit;

  /** Why the call was ended early; null if it was not. */
  private final AtomicReference<@Nullable Throwable> ended = new AtomicReference<>();

  /** Null until the head of the response has arrived. */
  private volatile @Nullable ContentDelivery<List<ByteBuffer>> delivery;

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
    this.exchanges = new Exchanges<>(shared, this.request);
    this.limit = request.timeout().map(this::limit).orElse(null);
  }

  private TimeLimit limit(Duration timeout) {
    long nanos = TimeUnit.NANOSECONDS.convert(timeout);
    return new TimeLimit(nanos, () -> Thread.startVirtualThread(this::timedOut));
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
      deliver(answer(), Signals.DIRECT);
      return outcome.get();
    } catch (InterruptedException e) {
      abort(new IOException("Request cancelled"));
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
    CompletableFuture<HttpResponse<T>> answer = new CancellableFuture<>(this::cancel);
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

  private void cancel(CancellationException because) {
    outcome.completeExceptionally(because);
    abort(Objects.requireNonNull(because.getCause()));
  }

  private void run() {
    try {
      Answer<T> answer = answer();
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

  private Answer<T> answer() throws IOException, InterruptedException {
    Answer<T> answer = exchanges.run();
    if (limit != null && !shared.settings().timesContent()) {
      limit.end();
    }
    return answer;
  }

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
      Body content = answer.response().body();
      boolean arrived = content.inMemory() != null;
      ContentDelivery<List<ByteBuffer>> begun = new ContentDelivery<>(
          content,
          part -> List.of(part.asReadOnlyBuffer()),
          arrived && answer.isSized(),
          Failures::of,
          delivered::complete);
      delivery = begun; // Before the reason is read: abort() sets the reason and then reads this.
      Throwable because = ended.get();
      if (because != null) {
        begun.fail(because);
      }
      begun.subscribe(arrived ? subscriber : signals.to(subscriber));
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
    Throwable because = ended.get();
    if (because != null) {
      return because;
    }
    Throwable published = exchanges.publisherFailure();
    return published == null ? Failures.of(failure, exchanges.spoken()) : published;
  }

  // ---- ending

  /** Aborts the call. From any thread; does nothing once the call is over. */
  void abort(Throwable because) {
    if (!ended.compareAndSet(null, because)) {
      return;
    }
    ContentDelivery<?> begun = delivery;
    if (begun == null) {
      exchanges.cancel();
    } else {
      begun.fail(because);
    }
  }

  /**
   * Called when the call is over.
   *
   * @param failure why there is no response, if there is none yet; null if there will be one
   */
  private void over(@Nullable Throwable failure) {
    if (failure != null) {
      outcome.completeExceptionally(Failures.unwrapped(failure));
    }
    shared.calls().end(this);
  }

  private void startTimer() {
    if (limit != null) {
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
