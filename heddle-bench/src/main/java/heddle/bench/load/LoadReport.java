package heddle.bench.load;

import java.time.Duration;
import java.util.List;

/**
 * What a load measured. The warm-up is in none of the figures.
 *
 * @param plan what was asked for
 * @param duration of the measured part: until the time was up, or until the last answer where a
 *     number of requests was asked for
 * @param answered complete answers with a status of 200 to 299
 * @param bodyBytes bytes of content in those answers
 * @param requestsPerSecond those answers a second; for an open load, over the time in which their
 *     requests were sent
 * @param latency of those answers: in a closed load from the call, in an open load from the
 *     intended start
 * @param sendLag in an open load, from the intended start to the call; all 0 in a closed load
 * @param errors what failed, most frequent first
 */
public record LoadReport(
    LoadPlan plan,
    Duration duration,
    long answered,
    long bodyBytes,
    double requestsPerSecond,
    Latency latency,
    Latency sendLag,
    List<ErrorCause> errors) {

  /**
   * What was counted.
   *
   * @param rateSeconds over how long the rate is taken
   */
  static LoadReport of(LoadPlan plan, Duration duration, Tally tally, double rateSeconds) {
    long answered = tally.answeredCount();
    return new LoadReport(
        plan,
        duration,
        answered,
        tally.bodyBytes(),
        rateSeconds > 0 ? answered / rateSeconds : 0,
        tally.latency(),
        tally.sendLag(),
        tally.errors());
  }

  /** How many requests failed, for whatever cause. */
  public long failed() {
    return errors.stream().mapToLong(ErrorCause::count).sum();
  }
}
