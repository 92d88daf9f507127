package heddle.load;

import heddle.bench.driver.Answer;
import heddle.load.record.Distribution;
import heddle.load.record.Stripes;
import heddle.load.schedule.Timing;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests in batches: each batch starts when the one before it has ended. Used by one
 * thread.
 */
final class BatchLoad {

  private static final long TICK_MILLIS = 250;

  private final Launch launch;
  private final int size;
  private final Timing timing;
  private final BooleanSupplier stop;
  private final long patienceMillis;
  private final Stripes handOver = Stripes.single();
  private final Stripes completion = Stripes.single();
  private long requests;
  private long handingOver;
  private long most;
  private volatile @Nullable Batch current;

  /**
   * Creates a load of batches.
   *
   * @param stop polled a few times a second: whether to end early
   * @param patienceMillis how long to wait for the next answer of a batch
   */
  BatchLoad(Launch launch, int size, Timing timing, BooleanSupplier stop, long patienceMillis) {
    this.launch = launch;
    this.size = size;
    this.timing = timing;
    this.stop = stop;
    this.patienceMillis = patienceMillis;
  }

  /** Runs batches that are not counted, for at least this long. */
  void warmUp(Duration time, Tally nowhere) throws InterruptedException {
    long begin = timing.nanoTime();
    while (timing.nanoTime() - begin < time.toNanos() && !stop.getAsBoolean()) {
      new Batch(nowhere, size).run(() -> {});
    }
  }

  /**
   * Runs batches until the extent is reached. If it is a number of requests, the last batch may be
   * smaller; if it is a time, the last batch is finished.
   */
  void measure(Extent extent, Tally tally, Runnable tick) throws InterruptedException {
    long begin = timing.nanoTime();
    long left =
        switch (extent) {
          case Extent.Requests(long count) -> count;
          case Extent.Lasting _ -> Long.MAX_VALUE;
        };
    long nanos =
        switch (extent) {
          case Extent.Requests _ -> Long.MAX_VALUE;
          case Extent.Lasting(Duration lasting) -> lasting.toNanos();
        };
    while (left > 0 && timing.nanoTime() - begin < nanos && !stop.getAsBoolean()) {
      Batch batch = new Batch(tally, (int) Math.min(left, size));
      current = batch;
      batch.run(tick);
      requests += batch.count;
      handingOver += batch.handedOver;
      handOver.record(batch.handedOver);
      completion.record(batch.completed);
      tally.unanswered(batch.left.getCount(), "no answer when its batch was given up");
      left -= batch.count;
    }
  }

  /** The number of unfinished requests of the batch; may be called by any thread. */
  long inFlight() {
    Batch batch = current;
    return batch == null ? 0 : batch.left.getCount();
  }

  /** The highest number of unfinished requests since the last call. */
  long mostInFlight() {
    long seen = Math.max(most, inFlight());
    most = 0;
    return seen;
  }

  /** Adds the times of the measured batches to the report. */
  LoadReport into(LoadReport report) {
    Distribution handing = Distribution.of(handOver.snapshot());
    Distribution completing = Distribution.of(completion.snapshot());
    var batches = new LoadReport.Batches(
        completion.count(),
        size,
        requests,
        Duration.ofNanos(handingOver),
        handing.latency(),
        completing.latency());
    return report.withBatches(batches, handing, completing);
  }

  private final class Batch {

    private final Tally tally;
    private final int count;
    private final CountDownLatch left;
    private long begin;
    private long handedOver;
    private long completed;

    Batch(Tally tally, int count) {
      this.tally = tally;
      this.count = count;
      this.left = new CountDownLatch(count);
    }

    void run(Runnable tick) throws InterruptedException {
      begin = timing.nanoTime();
      for (int i = 0; i < count; i++) {
        launch.begin(new One());
      }
      handedOver = timing.nanoTime() - begin;
      most = Math.max(most, left.getCount());
      long patience = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
      long before = left.getCount();
      long heardAt = timing.nanoTime();
      while (!left.await(TICK_MILLIS, TimeUnit.MILLISECONDS)
          && !stop.getAsBoolean()
          && timing.nanoTime() - heardAt < patience) {
        tick.run();
        long now = left.getCount();
        if (now != before) {
          before = now;
          heardAt = timing.nanoTime();
        }
      }
      completed = timing.nanoTime() - begin;
      tick.run();
    }

    /** One request. Its fields are written by the thread that carries it, before it ends. */
    private final class One implements Launch.Ending {
      private long start;

      @Override
      public void started() {
        start = timing.nanoTime();
        tally.sent(start - begin);
      }

      @Override
      public void answered(Answer answer) {
        long now = timing.nanoTime();
        tally.answered(answer, now - begin, now - start);
        left.countDown();
      }

      @Override
      public void failed(Throwable cause) {
        tally.failed(cause);
        left.countDown();
      }
    }
  }
}
