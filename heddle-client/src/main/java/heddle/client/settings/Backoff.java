package heddle.client.settings;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before a retry: a random part of a time that doubles with each retry, so that
 * clients that failed together do not come back together ("full jitter").
 *
 * @param base for the first retry; must be positive
 * @param most upper bound of the time; at least the base
 * @see <a href="https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/">
 *     Exponential Backoff And Jitter</a>
 */
record Backoff(Duration base, Duration most) {
  private static final int MAX_DOUBLINGS = 30;

  Backoff {
    if (!base.isPositive() || base.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "the base of the backoff must be positive and at most its bound, but they were %s and %s"
              .formatted(base, most));
    }
  }

  /**
   * @param repetition 1 for the first
   * @param random from which the part is drawn
   */
  Duration delay(int repetition, RandomGenerator random) {
    long bound = most.toNanos();
    int doublings = Math.min(repetition - 1, MAX_DOUBLINGS);
    long grown = base.toNanos() > bound >> doublings ? bound : base.toNanos() << doublings;
    return Duration.ofNanos(random.nextLong(grown + 1));
  }
}
