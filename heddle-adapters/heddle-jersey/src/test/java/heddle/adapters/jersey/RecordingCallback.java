package heddle.adapters.jersey;

import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A callback that records its result. Jersey finds the wanted type in its class. */
abstract class RecordingCallback<T> implements InvocationCallback<T> {

  /** What the calling thread does before others learn of the result. */
  @FunctionalInterface
  interface Meanwhile {
    void run() throws InterruptedException;
  }

  /**
   * How a call has ended for its callback.
   *
   * @param response null if there is a failure
   * @param failure null if there is a response
   * @param thread that told it
   * @param interrupted whether that thread was interrupted before or meanwhile
   */
  record Outcome<T>(
      @Nullable T response, @Nullable Throwable failure, Thread thread, boolean interrupted) {}

  private final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();
  private final Meanwhile meanwhile;

  private RecordingCallback(Meanwhile meanwhile) {
    this.meanwhile = meanwhile;
  }

  /** Wants a text. */
  static final class Text extends RecordingCallback<String> {
    Text() {
      this(() -> {});
    }

    Text(Meanwhile meanwhile) {
      super(meanwhile);
    }
  }

  /** Expects a response of any type. */
  static final class Whole extends RecordingCallback<Response> {
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

  /** Waits for the response, which must arrive. */
  T response() throws Exception {
    Outcome<T> end = outcome();
    T response = end.response();
    if (response == null) {
      throw new AssertionError("there was no response", end.failure());
    }
    return response;
  }

  /** Waits for the failure, which must arrive. */
  Throwable failure() throws Exception {
    Outcome<T> end = outcome();
    Throwable failure = end.failure();
    if (failure == null) {
      throw new AssertionError("there was a response: " + end.response());
    }
    return failure;
  }
}
