package heddle.adapters.jdk;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What an asynchronous call answers with, and the stages that follow: {@code cancel(true)} of any
 * that is not completed aborts the call, {@code cancel(false)} lets it run.
 */
final class CancellableFuture<T extends @Nullable Object> extends CompletableFuture<T> {
  private final Runnable abort;

  /**
   * @param abort the call; does nothing once that is over
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
