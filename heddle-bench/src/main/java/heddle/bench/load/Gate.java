package heddle.bench.load;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells the callers of a closed load whether to send once more, and whether an answer counts. Safe
 * for use by many threads.
 *
 * <p>Where a number of requests was asked for, exactly those sent after the warm-up count. Where a
 * time was asked for, answers that arrive within it count, so that the first and the last instant
 * of the window see the load at its full height.
 */
final class Gate {

  /** What a caller was let through for. */
  enum Pass {
    STOP,
    WARM_UP,
    MEASURED
  }

  private final boolean countsRequests;
  private final AtomicLong budget;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean measuring;
  private volatile boolean stopped;

  Gate(Extent extent) {
    switch (extent) {
      case Extent.Requests(long count) -> {
        countsRequests = true;
        budget = new AtomicLong(count);
      }
      case Extent.Lasting lasting -> {
        countsRequests = false;
        budget = new AtomicLong();
      }
    }
  }

  void startMeasuring() {
    measuring = true;
  }

  void stop() {
    measuring = false;
    stopped = true;
    over.countDown();
  }

  /** Returns after the pause, or as soon as the load is over. */
  void pause(Duration pause) throws InterruptedException {
    var _ = over.await(pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  Pass enter() {
    if (stopped) {
      return Pass.STOP;
    }
    if (!measuring) {
      return Pass.WARM_UP;
    }
    if (countsRequests && budget.getAndDecrement() <= 0) {
      return Pass.STOP;
    }
    return Pass.MEASURED;
  }

  /** Whether what ends now, and was let through with {@code pass}, counts. */
  boolean counts(Pass pass) {
    return countsRequests ? pass == Pass.MEASURED : measuring;
  }
}
