package heddle.load.schedule;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/** The clock and the threads of an open load: those of the machine, or simulated ones. */
public interface Timing {

  /** Monotonic time in nanoseconds, from any origin. */
  long nanoTime();

  /**
   * Sleeps until this time, unless the thread is interrupted.
   *
   * @throws InterruptedException if it is interrupted
   */
  void sleepUntil(long nanos) throws InterruptedException;

  /** Starts the thread that keeps the pace. */
  Thread startPacing(Runnable pacing);

  /** Creates the threads of a pool that carries requests. */
  ThreadFactory poolThreads();

  /** The clock of the machine, with a platform thread to keep the pace. */
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
