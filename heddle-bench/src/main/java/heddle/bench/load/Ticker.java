package heddle.bench.load;

import heddle.bench.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** Tells the listener how far a load is. Used by one thread. */
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
   * A ticker of a load that begins now.
   *
   * @param inFlight how many requests have begun and not ended
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

  /** The measured part begins now. */
  void restart() {
    restart(timing.nanoTime());
  }

  /** The measured part has begun at that time. */
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

  /** How long ago, as far as the ticks tell, there was an answer with a good status. */
  long nanosSinceAnswer() {
    return timing.nanoTime() - lastAnswerAt;
  }

  Duration elapsed() {
    return Duration.ofNanos(timing.nanoTime() - begin);
  }

  /** Until the time is up, rounded up; a load of so many requests has no such time. */
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
