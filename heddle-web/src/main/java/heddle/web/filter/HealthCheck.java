package heddle.web.filter;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A check that runs at most once at a time, even if it does not end at its time limit. */
final class HealthCheck {
  private static final System.Logger LOG = System.getLogger(Health.class.getName());
  private static final String FAILED = "failed";
  private static final String TIMEOUT = "timeout";

  private final String name;
  private final Health.Check check;
  private final Duration limit;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable Run running;
  private boolean wasUp = true;

  HealthCheck(String name, Health.Check check, Duration limit) {
    this.name = name;
    this.check = check;
    this.limit = limit;
  }

  /**
   * What a check has found out.
   *
   * @param error null if it is up
   */
  record Result(@Nullable String error, Duration elapsed) {
    boolean isUp() {
      return error == null;
    }
  }

  /** The run that goes on, or a new one. */
  Run start() {
    lock.lock();
    try {
      Run current = running;
      if (current == null) {
        current = new Run();
        current.thread.start();
        running = current;
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  private void ended(Run run) {
    lock.lock();
    try {
      if (running == run) {
        running = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Logs a check that goes down or up again. */
  private void noteState(boolean up, @Nullable Throwable failure) {
    lock.lock();
    try {
      if (up == wasUp) {
        return;
      }
      wasUp = up;
    } finally {
      lock.unlock();
    }
    if (up) {
      LOG.log(Level.INFO, "the health check " + name + " is up again");
    } else {
      LOG.log(Level.WARNING, "the health check " + name + " is down", failure);
    }
  }

  /** One run of the check, which several requests may await. */
  final class Run {
    private final long startedAt = System.nanoTime();
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread thread =
        Thread.ofVirtual().name("heddle-health-" + name).unstarted(this::run);

    /** Written before {@link #done} is counted down. */
    private @Nullable Result result;

    String name() {
      return name;
    }

    private void run() {
      Throwable failure = null;
      try {
        check.run();
      } catch (Exception | Error e) {
        failure = e;
      }
      Duration elapsed = elapsed();
      boolean late = elapsed.compareTo(limit) > 0;
      result = late
          ? new Result(TIMEOUT, elapsed)
          : new Result(failure == null ? null : FAILED, elapsed);
      ended(this);
      done.countDown();
      noteState(failure == null && !late, failure);
    }

    private Duration elapsed() {
      return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    /** Waits for the result, until the time limit of the check at most. */
    Result await() throws InterruptedException {
      long left = limit.minus(elapsed()).toNanos();
      Result known = done.await(left, TimeUnit.NANOSECONDS) ? result : null;
      if (known == null) {
        thread.interrupt();
        noteState(false, new TimeoutException("it takes longer than " + limit));
        return new Result(TIMEOUT, elapsed());
      }
      return known;
    }
  }
}
