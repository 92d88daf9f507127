package heddle.adapters.jersey;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Aborts asynchronous calls whose future was cancelled. Jersey does not notify connectors of that,
 * so one virtual thread polls for all running calls of a connector. Thread-safe.
 */
final class CancelWatch {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** For users' callbacks, which may take long. Failing a call takes no time. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(1);

  private final Set<AsyncExchange> running = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean watching = new AtomicBoolean();

  void add(AsyncExchange exchange) {
    running.add(exchange);
    if (!watching.get() && watching.compareAndSet(false, true)) {
      Thread.ofVirtual().name("heddle-jersey-cancels").start(this::watch);
    }
  }

  void remove(AsyncExchange exchange) {
    running.remove(exchange);
  }

  /**
   * Ends running calls and waits, at most a second, until their callbacks have run: once its client
   * is closed, Jersey runs no more callbacks.
   */
  void close() {
    running.forEach(AsyncExchange::closeWithClient);
    long begin = System.nanoTime();
    try {
      for (AsyncExchange each : running) {
        each.awaitEnd(MOST_WAIT.minusNanos(System.nanoTime() - begin));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isWatching() {
    return watching.get();
  }

  private void watch() {
    while (true) {
      LockSupport.parkNanos(PERIOD_NANOS);
      for (AsyncExchange each : running) {
        if (each.isUnwanted()) {
          each.abort();
        }
      }
      if (running.isEmpty()) {
        watching.set(false);
        // A call added meanwhile has either started a new thread, or is seen here.
        if (running.isEmpty() || !watching.compareAndSet(false, true)) {
          return;
        }
      }
    }
  }
}
