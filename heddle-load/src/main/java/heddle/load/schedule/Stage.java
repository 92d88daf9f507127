package heddle.load.schedule;

import java.time.Duration;

/**
 * A part of an open load in which the rate changes linearly.
 *
 * @param from requests a second at its beginning; 0 to 1,000,000
 * @param to requests a second at its end; 0 to 1,000,000
 * @param duration how long it lasts; above zero
 */
public record Stage(double from, double to, Duration duration) {

  /** The highest allowed rate, in requests per second. */
  public static final double MOST = 1_000_000;

  /** Throws {@link IllegalArgumentException} if a value is out of range. */
  public Stage {
    checkRate(from);
    checkRate(to);
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("a stage needs a positive duration, not " + duration);
    }
  }

  private static void checkRate(double rate) {
    if (!(rate >= 0 && rate <= MOST)) {
      throw new IllegalArgumentException(
          "the rate of a stage must be 0 to 1000000 a second, not " + rate);
    }
  }

  /** A stage with a constant rate. */
  public static Stage steady(double rate, Duration duration) {
    return new Stage(rate, rate, duration);
  }

  double seconds() {
    return duration.toNanos() / 1e9;
  }

  /** The number of its requests: the area below its line. */
  double requests() {
    return (from + to) / 2 * seconds();
  }

  /** The number of requests within this many seconds of its beginning. */
  double requestsWithin(double seconds) {
    return (from + (to - from) * seconds / seconds() / 2) * seconds;
  }

  /**
   * The time from its beginning until this many of its requests have started: the inverse of {@link
   * #requestsWithin}.
   *
   * <p>With the slope s, from·t + s·t²/2 = n is solved by 2n / (from + √(from² + 2·s·n)), which
   * subtracts nothing, and therefore loses no digits if the slope is close to 0.
   */
  double secondsUntil(double requests) {
    if (requests <= 0) {
      return 0;
    }
    double slope = (to - from) / seconds();
    double root = Math.sqrt(Math.max(0, from * from + 2 * slope * requests));
    return Math.min(2 * requests / (from + root), seconds());
  }
}
