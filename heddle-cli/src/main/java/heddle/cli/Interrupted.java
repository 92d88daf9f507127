package heddle.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a load early when the process is told to end, by Ctrl-C or by SIGTERM, and keeps the process
 * until the partial report is out.
 */
final class Interrupted implements AutoCloseable {

  private static final long LONGEST_SECONDS = 30;

  private final CountDownLatch reported = new CountDownLatch(1);
  private final Thread hook = new Thread(this::end, "load-interrupted");
  private volatile @Nullable Runnable ending;

  /** From now on. */
  Interrupted() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** How it is ended. */
  void stops(Runnable stop) {
    ending = stop;
  }

  private void end() {
    Runnable stop = ending;
    if (stop == null) {
      return;
    }
    stop.run();
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
