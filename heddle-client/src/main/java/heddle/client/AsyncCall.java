package heddle.client;

import heddle.http.Response;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A blocking call on a virtual thread, seen as a future. */
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
      if (!complete(response)) {
        // Cancelled at the last moment: nobody will read it.
        response.close();
      }
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }

  /**
   * Aborts the call.
   *
   * @param mayInterrupt makes no difference
   */
  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    Thread running = thread;
    if (cancelled && running != null) {
      running.interrupt();
    }
    return cancelled;
  }

  /** Stages that follow are plain futures: cancelling them must not abort the call. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
