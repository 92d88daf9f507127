package heddle.adapters.jdk;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The future of an asynchronous call, and its dependent stages. {@code cancel(true)} of any stage
 * that is not completed aborts the call, {@code cancel(false)} does not.
 */
final class CancellableFuture<T extends @Nullable Object> extends CompletableFuture<T> {
  private final Consumer<CancellationException> abort;

  /**
   * @param abort aborts the call; does nothing once the call is over
   */
  CancellableFuture(Consumer<CancellationException> abort) {
    this.abort = abort;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (!mayInterruptIfRunning || isDone()) {
      return super.cancel(mayInterruptIfRunning);
    }
    // The exception that callers of the JDK's client expect.
    CancellationException because = new CancellationException("Request cancelled");
    because.initCause(new IOException("Request cancelled"));
    boolean cancelled = completeExceptionally(because);
    abort.accept(because);
    return cancelled || isCancelled();
  }

  @Override
  public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
    return new CancellableFuture<>(abort);
  }
}
