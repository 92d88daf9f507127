package heddle.client.spi;

/**
 * How many requests of a route may be repeated, so that a server in trouble does not get more of
 * it: a share of its requests of the last ten seconds, and some more where there are few. The
 * repetition of what was certainly not sent costs nothing of it.
 *
 * @param share of the requests; 0 to 1
 * @param perSecond how many may be repeated in each second beside; 0 or more
 * @see <a href="https://sre.google/sre-book/handling-overload/">Site Reliability Engineering,
 *     chapter 21</a>
 */
public record RetryBudget(double share, int perSecond) {
  /** 10% of the requests, and 10 a second. */
  public static final RetryBudget DEFAULT = new RetryBudget(0.1, 10);

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public RetryBudget {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "the retry budget's share must be 0 to 1 (0.1 is 10%), not " + share);
    }
    if (perSecond < 0) {
      throw new IllegalArgumentException(
          "the retry budget's perSecond must be at least 0, not " + perSecond);
    }
  }
}
