package heddle.client.call;

import heddle.client.settings.RetryBudget;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The remaining {@link RetryBudget} of a route: a token bucket that fills with time and with
 * requests, up to what ten seconds add. Safe for use by many threads.
 */
final class RetryTokens {
  /** After this time without use a bucket is full, like a new one. */
  static final long WINDOW_NANOS = 10_000_000_000L;

  private static final double NANOS_PER_SECOND = 1e9;

  private record Level(double tokens, long at) {}

  private final RetryBudget budget;
  private final AtomicReference<@Nullable Level> level = new AtomicReference<>();

  RetryTokens(RetryBudget budget) {
    this.budget = budget;
  }

  /**
   * Takes a token, if there is one.
   *
   * @param now in nanoseconds
   * @param requestsPerSecond how many requests the route gets
   */
  boolean take(long now, double requestsPerSecond) {
    double perNano = (budget.perSecond() + budget.share() * requestsPerSecond) / NANOS_PER_SECOND;
    double most = perNano * WINDOW_NANOS;
    while (true) {
      Level before = level.get();
      double filled = before == null
          ? most
          : Math.min(most, before.tokens() + perNano * Math.max(0, now - before.at()));
      if (filled < 1) {
        return false;
      }
      if (level.compareAndSet(before, new Level(filled - 1, now))) {
        return true;
      }
    }
  }

  boolean isFull(long now) {
    Level last = level.get();
    return last == null || now - last.at() >= WINDOW_NANOS;
  }
}
