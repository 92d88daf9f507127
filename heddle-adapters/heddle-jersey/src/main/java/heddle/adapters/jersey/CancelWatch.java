package heddle.adapters.jersey;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Aborts asynchronous calls whose future has been cancelled: Jersey tells its connectors of that
 * only when they ask. One virtual thread asks for all calls of a connector, as long as there are
 * some. Safe for use by many threads.
 */
final class CancelWatch {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** For callbacks of users, which may take their time; those of calls that fail take none. */
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
   * Ends the calls under way and waits, at most a second, until those who wait for them know: once
   * its client is closed, Jersey tells nobody any more.
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

  /** Whether the thread that asks is there. */
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
        // One that came in between has either seen that, or is seen here.
        if (running.isEmpty() || !watching.compareAndSet(false, true)) {
          return;
        }
      }
    }
  }
}
