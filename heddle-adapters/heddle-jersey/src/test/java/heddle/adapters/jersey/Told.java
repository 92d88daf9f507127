package heddle.adapters.jersey;

import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A callback that keeps what it was told. Jersey reads off its class what it wants to be told. */
abstract class Told<T> implements InvocationCallback<T> {

  /** What the thread that tells it does before anybody else hears of it. */
  @FunctionalInterface
  interface Meanwhile {
    void run() throws InterruptedException;
  }

  /**
   * How a call has ended for its callback.
   *
   * @param response null where there is a failure
   * @param failure null where there is a response
   * @param thread that told it
   * @param interrupted whether that thread was interrupted before or meanwhile
   */
  record Outcome<T>(
      @Nullable T response, @Nullable Throwable failure, Thread thread, boolean interrupted) {}

  private final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();
  private final Meanwhile meanwhile;

  private Told(Meanwhile meanwhile) {
    this.meanwhile = meanwhile;
  }

  /** Wants a text. */
  static final class Text extends Told<String> {
    Text() {
      this(() -> {});
    }

    Text(Meanwhile meanwhile) {
      super(meanwhile);
    }
  }

  /** Wants a response, whatever it holds. */
  static final class Whole extends Told<Response> {
    Whole() {
      this(() -> {});
    }

    Whole(Meanwhile meanwhile) {
      super(meanwhile);
    }
  }

  @Override
  public void completed(T response) {
    end(response, null);
  }

  @Override
  public void failed(Throwable failure) {
    end(null, failure);
  }

  private void end(@Nullable T response, @Nullable Throwable failure) {
    boolean interrupted = Thread.interrupted();
    try {
      meanwhile.run();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    outcome.complete(new Outcome<>(response, failure, Thread.currentThread(), interrupted));
  }

  boolean isDone() {
    return outcome.isDone();
  }

  /** Waits for it. */
  Outcome<T> outcome() throws Exception {
    return outcome.get();
  }

  /** Waits for the response, which must come. */
  T response() throws Exception {
    Outcome<T> end = outcome();
    T response = end.response();
    if (response == null) {
      throw new AssertionError("there was no response", end.failure());
    }
    return response;
  }

  /** Waits for the failure, which must come. */
  Throwable failure() throws Exception {
    Outcome<T> end = outcome();
    Throwable failure = end.failure();
    if (failure == null) {
      throw new AssertionError("there was a response: " + end.response());
    }
    return failure;
  }
}
