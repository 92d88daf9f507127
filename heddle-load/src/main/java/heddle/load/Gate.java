package heddle.load;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides whether a caller of a closed load sends another request, and whether an answer counts.
 * Safe for use by many threads.
 *
 * <p>If the extent is a number of requests, exactly those sent after the warm-up count. If it is a
 * time, answers that arrive within it count, so that the full load is on from the first to the last
 * instant of the window.
 */
final class Gate {

  /** The state of the load when a request was admitted. */
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

  /** Waits for the pause, or until the load is over. */
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

  /** Whether a request counts that ends now and was admitted with {@code pass}. */
  boolean counts(Pass pass) {
    return countsRequests ? pass == Pass.MEASURED : measuring;
  }
}
