package heddle.connection.http1;

import heddle.connection.CollectedContent;
import heddle.connection.MinimumRate;
import heddle.connection.ServerLimits;
import heddle.transport.time.Deadline;
import org.jspecify.annotations.Nullable;

/** The content of a request while it arrives, and whether it arrives in time. On the loop only. */
final class ArrivingContent {
  private final Http1ServerExchange exchange;
  private final ServerLimits limits;

  /** What has come of it, if it is collected before the request is announced. */
  @Nullable
  CollectedContent collected;

  /** How many bytes have arrived, and how many of them were discarded. */
  long bytes;

  long discardedBytes;

  // When the last of it arrived, the rate, once we have waited for it, and whether 100 (Continue)
  // was owed at the last check.
  private long heardAt;
  private MinimumRate.@Nullable Progress progress;
  private boolean continueOwed;

  ArrivingContent(Http1ServerExchange exchange, ServerLimits limits) {
    this.exchange = exchange;
    this.limits = limits;
    this.continueOwed = exchange.head().expectContinue();
  }

  /** The input so far is taken. Returns by when the next part must come. */
  long await(long nowNanos) {
    heardAt = nowNanos;
    return dueAt(progress(nowNanos));
  }

  /** Begins to measure the rate when we have to wait for the content, as for little of it. */
  private MinimumRate.Progress progress(long nowNanos) {
    if (progress == null) {
      progress = new MinimumRate.Progress(limits.minRate(), nowNanos);
      progress.look(nowNanos, bytes, exchange.owesContinue());
    }
    return progress;
  }

  private long dueAt(MinimumRate.Progress rate) {
    return Math.min(heardAt + Deadline.boundedNanos(limits.bodyTimeout()), rate.dueAt());
  }

  /**
   * The time is over: returns what is wrong with the content, or null if its next part may take
   * longer, until {@link #dueAt()}. Time in which our side does not read does not count.
   *
   * @param wasPaused whether the channel was not read at some time since the last check
   */
  @Nullable
  String check(long now, boolean wasPaused) {
    boolean waitedForContinue = continueOwed;
    continueOwed = exchange.owesContinue();
    if (collected == null && (exchange.isSlowReader() || waitedForContinue)) {
      heardAt = now;
    }
    if (now - heardAt >= Deadline.boundedNanos(limits.bodyTimeout())) {
      return "nothing of the request's body came for " + limits.bodyTimeout();
    }
    MinimumRate.Progress rate = progress(now);
    rate.look(now, bytes, wasPaused || waitedForContinue);
    return rate.isTooSlow() ? "the request's body came more slowly than " + limits.minRate() : null;
  }

  /** After {@link #check}. */
  long dueAt() {
    return progress == null ? Deadline.NEVER_NANOS : dueAt(progress);
  }
}
