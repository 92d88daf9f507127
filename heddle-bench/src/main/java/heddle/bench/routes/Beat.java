package heddle.bench.routes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Runs a task periodically, at absolute times, until it is closed. Used by one thread. */
public final class Beat implements AutoCloseable {

  private final Runnable what;
  private final long period;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts on a platform thread, so that it does not compete with the virtual threads of requests.
   *
   * @param period above 0; the task first runs after one period
   * @param what the task, which must not throw
   */
  public Beat(Duration period, Runnable what) {
    this.period = period.toNanos();
    this.what = what;
    this.thread = Thread.ofPlatform().daemon().name("heddle-beat").start(this::run);
  }

  private void run() {
    long next = System.nanoTime() + period;
    while (!closed) {
      long wait = next - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(this, wait);
      } else {
        what.run();
        next += period;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
