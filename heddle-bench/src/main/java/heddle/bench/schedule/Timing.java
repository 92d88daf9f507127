package heddle.bench.schedule;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/** The time by which an open load is paced: that of the machine, or that of a simulated world. */
public interface Timing {

  /** Monotonic time in nanoseconds, from any origin. */
  long nanoTime();

  /**
   * Returns at that time, and no earlier unless the thread is interrupted.
   *
   * @throws InterruptedException when it is
   */
  void sleepUntil(long nanos) throws InterruptedException;

  /** Starts the thread that keeps the pace. */
  Thread startPacing(Runnable pacing);

  /** Makes the threads of a pool that carries requests. */
  ThreadFactory poolThreads();

  /** The machine's, with a platform thread to keep the pace. */
  static Timing system() {
    return new Timing() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public void sleepUntil(long nanos) throws InterruptedException {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
          LockSupport.parkNanos(left);
          if (Thread.interrupted()) {
            throw new InterruptedException("no longer paced");
          }
        }
      }

      @Override
      public Thread startPacing(Runnable pacing) {
        return Thread.ofPlatform().daemon().name("load-pace").start(pacing);
      }

      @Override
      public ThreadFactory poolThreads() {
        return Thread.ofPlatform().daemon().name("load-strand-", 0).factory();
      }
    };
  }
}
