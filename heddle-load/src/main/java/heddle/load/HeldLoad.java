package heddle.load;

import heddle.bench.driver.Answer;
import heddle.load.schedule.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Holds many concurrent requests for a time. Used by one thread. */
final class HeldLoad {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Gives up after this many failures, if they are also half of the requests begun. */
  private static final int ENOUGH_FAILURES = 64;

  private final Launch launch;
  private final int count;
  private final Timing timing;
  private final Tally tally;
  private final BooleanSupplier stop;
  private final CountDownLatch ended;
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong most = new AtomicLong();
  private volatile long mostAt;
  private volatile boolean over;
  private int begun;
  private String why = "";

  HeldLoad(Launch launch, int count, Timing timing, Tally tally, BooleanSupplier stop) {
    this.launch = launch;
    this.count = count;
    this.timing = timing;
    this.tally = tally;
    this.stop = stop;
    this.ended = new CountDownLatch(count);
  }

  /** Begins all requests, and returns when they were held for this long or all have ended. */
  LoadReport.Held hold(Duration time, Runnable tick) throws InterruptedException {
    long begin = timing.nanoTime();
    long lastTick = begin;
    while (begun < count && why.isEmpty()) {
      launch.begin(new One());
      begun++;
      long now = timing.nanoTime();
      if (now - lastTick >= TICK_NANOS) {
        tick.run();
        lastTick = now;
      }
      why = whyToStop();
    }
    Duration beginning = Duration.ofNanos(timing.nanoTime() - begin);
    long handedOver = timing.nanoTime();
    long left = time.toNanos();
    while (why.isEmpty()
        && left > 0
        && !stop.getAsBoolean()
        && begun > count - ended.getCount()
        && !ended.await(Math.min(TICK_NANOS, left), TimeUnit.NANOSECONDS)) {
      tick.run();
      left = time.toNanos() - (timing.nanoTime() - latest(handedOver));
    }
    long atEnd = held.get();
    over = true;
    if (why.isEmpty()) {
      why = whyNotAll(atEnd);
    }
    long reachedAt = Math.max(0, mostAt - begin);
    return new LoadReport.Held(
        count, begun, most.get(), atEnd, beginning, Duration.ofNanos(reachedAt), why);
  }

  /** The time counts from when the last request has got its thread. */
  private long latest(long handedOver) {
    return most.get() == 0 ? handedOver : Math.max(handedOver, mostAt);
  }

  /** The number of requests held now; may be called by any thread. */
  long inFlight() {
    return held.get();
  }

  /** The message of the most frequent failure, such as that the machine has no more threads. */
  private String example() {
    List<ErrorCause> errors = tally.errors();
    return errors.isEmpty() ? "" : ", such as: " + errors.getFirst().example();
  }

  private String whyNotAll(long atEnd) {
    long hasEnded = count - ended.getCount();
    if (tally.failedCount() > 0) {
      return tally.failedCount() + " failed" + example();
    }
    if (hasEnded > 0) {
      return hasEnded + " were answered before the time was up";
    }
    return atEnd < begun ? (begun - atEnd) + " still waited for a thread" : "";
  }

  private String whyToStop() {
    if (stop.getAsBoolean()) {
      return "it was stopped";
    }
    long failed = tally.failedCount();
    return failed >= ENOUGH_FAILURES && failed * 2 > begun
        ? failed + " of " + begun + " had failed" + example()
        : "";
  }

  /** One request. A request that ends after the time is up was cancelled, and is no failure. */
  private final class One implements Launch.Ending {
    private volatile long start;

    @Override
    public void started() {
      start = timing.nanoTime();
      long now = held.incrementAndGet();
      if (most.accumulateAndGet(now, Math::max) == now) {
        mostAt = start;
      }
    }

    @Override
    public void answered(Answer answer) {
      if (!over) {
        long took = timing.nanoTime() - start;
        tally.answered(answer, took, took);
      }
      end();
    }

    @Override
    public void failed(Throwable cause) {
      if (!over) {
        tally.failed(cause);
      }
      end();
    }

    private void end() {
      if (start != 0) {
        held.decrementAndGet();
      }
      ended.countDown();
    }
  }
}
