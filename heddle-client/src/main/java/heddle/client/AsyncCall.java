package heddle.client;

import heddle.http.Response;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A blocking call on a virtual thread, as a future. Completing the future before the call does, for
 * example by {@link #cancel}, {@link #orTimeout} or {@link #completeOnTimeout}, aborts the call.
 */
final class AsyncCall extends CompletableFuture<Response> {
  private volatile @Nullable Thread thread;

  private AsyncCall() {}

  static AsyncCall start(Callable<Response> call) {
    AsyncCall future = new AsyncCall();
    Thread thread = Thread.ofVirtual().name("heddle-call").unstarted(() -> future.run(call));
    future.thread = thread;
    thread.start();
    return future;
  }

  private void run(Callable<Response> call) {
    try {
      Response response = call.call();
      if (!super.complete(response)) {
        // Cancelled at the last moment: the caller does not get the response.
        response.close();
      }
    } catch (Throwable e) {
      super.completeExceptionally(e);
    }
  }

  /** Aborts the call, whatever the flag. */
  @Override
  public boolean cancel(boolean mayInterrupt) {
    return abortIf(super.cancel(mayInterrupt));
  }

  @Override
  public boolean complete(Response instead) {
    return abortIf(super.complete(instead));
  }

  @Override
  public boolean completeExceptionally(Throwable instead) {
    return abortIf(super.completeExceptionally(instead));
  }

  private boolean abortIf(boolean isCompletedByOthers) {
    if (isCompletedByOthers && thread != null) {
      thread.interrupt();
    }
    return isCompletedByOthers;
  }

  /** Dependent stages are plain futures: cancelling one must not abort the call. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
