package heddle.adapters.jdk;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
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

  /** Passes the signals for a subscriber of content on to it. */
  default Flow.Subscriber<List<ByteBuffer>> to(Flow.Subscriber<List<ByteBuffer>> subscriber) {
    return new Flow.Subscriber<>() {
      @Override
      public void onSubscribe(Flow.Subscription subscription) {
        subscriber.onSubscribe(subscription);
      }

      @Override
      public void onNext(List<ByteBuffer> buffers) {
        run(() -> subscriber.onNext(buffers));
      }

      @Override
      public void onError(Throwable failure) {
        run(() -> subscriber.onError(failure));
      }

      @Override
      public void onComplete() {
        run(subscriber::onComplete);
      }
    };
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
