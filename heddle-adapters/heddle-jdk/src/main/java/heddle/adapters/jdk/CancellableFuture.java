package heddle.adapters.jdk;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The future of an asynchronous call, and its dependent stages. {@code cancel(true)} of any stage
 * that is not completed aborts the call, {@code cancel(false)} does not.
 */
final class CancellableFuture<T extends @Nullable Object> extends CompletableFuture<T> {
  private final Runnable abort;

  /**
   * @param abort aborts the call; does nothing once the call is over
   */
  CancellableFuture(Runnable abort) {
    this.abort = abort;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean open = !isDone();
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    if (open && mayInterruptIfRunning) {
      abort.run();
    }
    return cancelled;
  }

  @Override
  public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
    return new CancellableFuture<>(abort);
  }
}
