package heddle.load;

import heddle.bench.driver.Answer;
import heddle.load.schedule.Timing;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.AtomicHistogram;

/**
 * Sends requests at scheduled times, no matter whether earlier ones have ended. One thread keeps
 * the pace and hands each request to the thread that carries it.
 */
final class OpenLoad {

  private static final long LONGEST_LAG_NANOS = 3_600_000_000_000L;

  private final Tally tally;
  private final Schedule schedule;
  private final Launch launch;
  private final int maxInFlight;
  private final Timing timing;
  private final CountDownLatch warm = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** The pacing thread counts as one, so that the load does not end before its last request. */
  private final AtomicLong unfinished = new AtomicLong(1);

  private final AtomicLong inFlight = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong lastSend = new AtomicLong(Long.MIN_VALUE);
  private final AtomicHistogram paceLag = new AtomicHistogram(100, LONGEST_LAG_NANOS, 2);

  /** The same without the time that the client took to accept earlier requests. */
  private final AtomicHistogram ownLag = new AtomicHistogram(100, LONGEST_LAG_NANOS, 2);

  private final Runnable afterLast;
  private final long begin;
  private volatile boolean stopped;
  private volatile boolean paced;

  /**
   * Creates a load.
   *
   * @param afterLast called by the pacing thread when it has handed over the last request
   */
  OpenLoad(
      Tally tally,
      Schedule schedule,
      Launch launch,
      int maxInFlight,
      Timing timing,
      Runnable afterLast) {
    this.tally = tally;
    this.schedule = schedule;
    this.launch = launch;
    this.maxInFlight = maxInFlight;
    this.timing = timing;
    this.afterLast = afterLast;
    this.begin = timing.nanoTime();
  }

  /** Starts the thread that keeps the pace. */
  Thread start() {
    return timing.startPacing(() -> {
      try {
        keepPace();
      } catch (InterruptedException e) {
        // A stop of the load interrupts the wait for the next request.
      } finally {
        afterLast.run();
        paced = true;
        warm.countDown();
        finishOne();
      }
    });
  }

  private void keepPace() throws InterruptedException {
    // How long the client has kept this thread since it was last on time.
    long inClient = 0;
    for (long offset = schedule.next(); offset >= 0 && !stopped; offset = schedule.next()) {
      if (timing.nanoTime() - begin <= offset) {
        inClient = 0;
      }
      timing.sleepUntil(begin + offset);
      long now = timing.nanoTime() - begin;
      boolean counts = schedule.counts(offset);
      if (counts) {
        warm.countDown();
        paceLag.recordValue(Math.clamp(now - offset, 0, LONGEST_LAG_NANOS));
        ownLag.recordValue(Math.clamp(now - offset - inClient, 0, LONGEST_LAG_NANOS));
      }
      if (inFlight.get() < maxInFlight) {
        launch.begin(new One(offset, counts));
        inClient += timing.nanoTime() - begin - now;
      } else if (counts) {
        tally.dropped();
      }
    }
  }

  /** One request. Its fields are written by the thread that carries it, before it ends. */
  private final class One implements Launch.Ending {

    private final long offset;
    private final boolean counts;
    private long start;

    One(long offset, boolean counts) {
      this.offset = offset;
      this.counts = counts;
      inFlight.incrementAndGet();
      if (counts) {
        unfinished.incrementAndGet();
      }
    }

    @Override
    public void started() {
      start = timing.nanoTime() - begin;
      if (counts) {
        tally.sent(start - offset);
        sent.incrementAndGet();
        lastSend.accumulateAndGet(start, Math::max);
      }
    }

    @Override
    public void answered(Answer answer) {
      long now = timing.nanoTime() - begin;
      if (counts) {
        tally.answered(answer, now - offset, now - start);
      }
      end();
    }

    @Override
    public void failed(Throwable cause) {
      if (counts) {
        tally.failed(cause);
      }
      end();
    }

    private void end() {
      inFlight.decrementAndGet();
      if (counts) {
        finishOne();
      }
    }
  }

  private void finishOne() {
    if (unfinished.decrementAndGet() == 0) {
      ended.countDown();
    }
  }

  /** Waits for the end of the warm-up; returns false after the timeout. */
  boolean awaitWarm(long millis) throws InterruptedException {
    return warm.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Waits until all measured requests have ended; returns false after the timeout. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Stops sending. */
  void stop() {
    stopped = true;
  }

  /** Whether the last request was handed over. */
  boolean isPaced() {
    return paced;
  }

  /** How many measured requests have not ended. */
  long unfinished() {
    return unfinished.get() - (paced ? 0 : 1);
  }

  /** The number of unfinished requests, those of the warm-up included. */
  long inFlight() {
    return inFlight.get();
  }

  long sent() {
    return sent.get();
  }

  /** When the load began, warm-up included, on the clock that paces it. */
  long beginNanos() {
    return begin;
  }

  /** From the end of the warm-up until the last measured request was really sent. */
  double secondsOfSending(Duration warmUp) {
    return sent.get() == 0 ? 0 : (lastSend.get() - warmUp.toNanos()) / 1e9;
  }

  /** The 99th percentile of how late requests were handed over, in microseconds. */
  double paceLagP99Micros() {
    return paceLag.getValueAtPercentile(99) / 1e3;
  }

  /** The same without the time that the client took to accept earlier requests. */
  double ownLagP99Micros() {
    return ownLag.getValueAtPercentile(99) / 1e3;
  }
}
