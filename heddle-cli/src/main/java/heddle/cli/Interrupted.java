package heddle.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a load or a race early when the process is told to end, by Ctrl-C or by SIGTERM, and keeps
 * the process until the partial report is out.
 */
final class Interrupted implements AutoCloseable {

  private static final long LONGEST_SECONDS = 30;

  private final CountDownLatch reported = new CountDownLatch(1);
  private final Thread hook = new Thread(this::end, "heddle-interrupted");
  private volatile @Nullable Runnable stop;
  private volatile boolean isAsked;

  /** From now on. */
  Interrupted() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** What ends what runs now; at once where the process is told to end already. */
  void stops(Runnable running) {
    stop = running;
    if (isAsked) {
      running.run();
    }
  }

  /** Whether the process is told to end. */
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

  /** The report is out. */
  @Override
  public void close() {
    reported.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends already, by this very hook.
    }
  }
}
