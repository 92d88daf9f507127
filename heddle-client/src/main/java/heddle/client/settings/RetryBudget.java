package heddle.client.settings;

/**
 * How many requests per route may be retried, so that retries do not overload a failing server: a
 * share of those of the last ten seconds, plus a fixed rate. Retries of what was not sent are free.
 *
 * @param share of the requests; 0 to 1
 * @param perSecond how many more may be retried per second; 0 or more
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
