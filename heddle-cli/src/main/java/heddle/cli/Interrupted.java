package heddle.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a load or a race early on Ctrl-C or SIGTERM, and keeps the process alive until the partial
 * report is written.
 */
final class Interrupted implements AutoCloseable {

  private static final long LONGEST_SECONDS = 30;

  private final CountDownLatch reported = new CountDownLatch(1);
  private final Thread hook = new Thread(this::end, "heddle-interrupted");
  private volatile @Nullable Runnable stop;
  private volatile boolean isAsked;

  /** Watches for signals from now on. */
  Interrupted() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Sets what to run on a signal; runs it at once if a signal has arrived already. */
  void stops(Runnable running) {
    stop = running;
    if (isAsked) {
      running.run();
    }
  }

  /** Whether a signal has arrived. */
  boolean isAsked() {
    return isAsked;
  }

  private void end() {
    isAsked = true;
    Runnable running = stop;
    if (running == null) {
      return;
    }
    running.run();
    try {
      var _ = reported.await(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the process end, because the report is written. */
  @Override
  public void close() {
    reported.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, in this hook.
    }
  }
}
