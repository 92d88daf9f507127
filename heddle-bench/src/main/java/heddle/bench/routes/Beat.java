package heddle.bench.routes;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs a task periodically, at absolute times, until it is closed. Used by one thread. */
public final class Beat implements AutoCloseable {

  /** A platform thread, so that it does not compete with the virtual threads of requests. */
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
      Thread.ofPlatform().daemon().name("heddle-beat").factory());

  /**
   * Starts.
   *
   * @param period above 0; the task first runs after one period
   * @param what the task; if it throws, it is not run again
   */
  public Beat(Duration period, Runnable what) {
    long nanos = period.toNanos();
    var _ = executor.scheduleAtFixedRate(() -> run(what), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  private static void run(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException | Error e) {
      // The executor would only keep it in a future that no one reads.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      throw e;
    }
  }

  /** Ends without waiting for the task, which may be running. */
  @Override
  public void close() {
    executor.shutdown();
  }
}
