package heddle.load;

import heddle.load.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** Reports the progress of a load to the listener. Used by one thread. */
final class Ticker {

  private final Extent extent;
  private final Tally tally;
  private final LoadListener listener;
  private final Timing timing;
  private final LongSupplier inFlight;
  private Instant began;
  private long begin;
  private long lastTick;
  private long lastAnswered;
  private long lastAnswerAt;

  /**
   * Creates a ticker for a load that begins now.
   *
   * @param inFlight the number of unfinished requests
   */
  Ticker(Timing timing, Extent extent, Tally tally, LoadListener listener, LongSupplier inFlight) {
    this.timing = timing;
    this.began = Instant.now();
    this.begin = timing.nanoTime();
    this.lastTick = begin;
    this.lastAnswerAt = begin;
    this.extent = extent;
    this.tally = tally;
    this.listener = listener;
    this.inFlight = inFlight;
  }

  /** Starts the measured part now. */
  void restart() {
    restart(timing.nanoTime());
  }

  /** Starts the measured part at this time. */
  void restart(long nanos) {
    long now = timing.nanoTime();
    began = Instant.now().minusNanos(now - nanos);
    begin = nanos;
    lastTick = now;
    lastAnswerAt = now;
  }

  /** When the measured part began, by the clock of the machine. */
  Instant began() {
    return began;
  }

  /** The time since the last good answer, to the precision of the ticks. */
  long nanosSinceAnswer() {
    return timing.nanoTime() - lastAnswerAt;
  }

  Duration elapsed() {
    return Duration.ofNanos(timing.nanoTime() - begin);
  }

  /**
   * The time until the load ends, rounded up; a very long time if its extent is a number of
   * requests.
   */
  long millisLeft() {
    return switch (extent) {
      case Extent.Requests requests -> Long.MAX_VALUE;
      case Extent.Lasting(Duration lasting) ->
        (lasting.minus(elapsed()).toNanos() + 999_999) / 1_000_000;
    };
  }

  void tick() {
    long now = timing.nanoTime();
    long answered = tally.answeredCount();
    long failed = tally.failedCount();
    double rate = (answered - lastAnswered) * 1e9 / Math.max(1, now - lastTick);
    lastTick = now;
    lastAnswerAt = answered > lastAnswered ? now : lastAnswerAt;
    lastAnswered = answered;
    double fraction =
        switch (extent) {
          case Extent.Requests(long count) -> (double) (answered + failed) / count;
          case Extent.Lasting(Duration lasting) -> (double) (now - begin) / lasting.toNanos();
        };
    listener.progress(new LoadProgress(
        Duration.ofNanos(now - begin),
        Math.min(1, fraction),
        answered,
        failed,
        rate,
        inFlight.getAsLong(),
        tally.latestLagMicros()));
  }
}
