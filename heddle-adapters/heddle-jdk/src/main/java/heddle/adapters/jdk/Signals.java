package heddle.adapters.jdk;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Where handlers and subscribers are called. */
@FunctionalInterface
interface Signals {
  /** On the thread that has the news. */
  Signals DIRECT = Runnable::run;

  /** Runs a signal and waits for its end; what it throws is thrown. */
  void run(Runnable signal);

  /** On an executor; directly where there is none, or it takes no more tasks. */
  static Signals on(@Nullable Executor executor) {
    return executor == null ? DIRECT : signal -> runOn(executor, signal);
  }

  private static void runOn(Executor executor, Runnable signal) {
    CompletableFuture<Void> end;
    try {
      end = CompletableFuture.runAsync(signal, executor);
    } catch (RejectedExecutionException e) {
      // Who waits for content must learn what becomes of it, whatever has become of the executor.
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
