package heddle.adapters.jdk;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Calls handlers and subscribers, on an executor or directly. */
@FunctionalInterface
interface Signals {
  /** On the current thread. */
  Signals DIRECT = Runnable::run;

  /** Runs a signal, waits for its end, and throws what it throws. */
  void run(Runnable signal);

  /** On an executor; directly if there is none, or if it rejects tasks. */
  static Signals on(@Nullable Executor executor) {
    return executor == null ? DIRECT : signal -> runOn(executor, signal);
  }

  private static void runOn(Executor executor, Runnable signal) {
    CompletableFuture<Void> end;
    try {
      end = CompletableFuture.runAsync(signal, executor);
    } catch (RejectedExecutionException e) {
      // The subscriber must get its signal even if the executor was shut down.
      signal.run();
      return;
    }
    try {
      end.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw e;
      }
    }
  }
}
