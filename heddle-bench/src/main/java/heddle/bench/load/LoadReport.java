package heddle.bench.load;

import heddle.bench.record.Distribution;
import heddle.bench.record.GeneratorCost;
import heddle.bench.record.Latency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a load measured. The warm-up is in none of the figures.
 *
 * @param shape what was asked for
 * @param duration of the measured part: until the time was up, or until the last answer where a
 *     number of requests was asked for
 * @param answered complete answers with a status of 200 to 299
 * @param bodyBytes bytes of content in those answers
 * @param requestsPerSecond those answers a second; for an open load, over the time in which their
 *     requests were sent
 * @param latency of those answers, the response time: from the instant at which the request was
 *     meant to be sent. In a closed load that is the call, in an open load the schedule's start, in
 *     a batch its beginning
 * @param service of those answers, from the instant at which the request was sent: what a load
 *     without a schedule would have seen
 * @param sendLag of all requests, from the intended start to the actual one; all 0 where these are
 *     the same
 * @param errors what failed, most frequent first
 * @param dropped requests of an open load that were not sent, because too many had not ended
 * @param cutShort why the load ended before its extent; empty where it did not
 * @param doubts why the figures do not count: the generator itself fell behind. None where they do
 * @param generator what the process took for it; null where nobody looked
 * @param batches what batches took; null where there were none
 * @param held how many requests were held; null where none were to be
 * @param distributions all that latency, service and send lag are taken from
 * @param sending from when on requests were sent
 */
public record LoadReport(
    LoadShape shape,
    Duration duration,
    long answered,
    long bodyBytes,
    double requestsPerSecond,
    Latency latency,
    Latency service,
    Latency sendLag,
    List<ErrorCause> errors,
    long dropped,
    String cutShort,
    List<String> doubts,
    @Nullable GeneratorCost generator,
    @Nullable Batches batches,
    @Nullable Held held,
    Distributions distributions,
    Sending sending) {

  /**
   * All that the durations are taken from.
   *
   * @param response of good answers, from the intended start of their requests
   * @param service of good answers, from the actual start
   * @param sendLag of all requests, from the intended start to the actual one; empty where these
   *     are the same
   * @param handOver of batches, until all of one were handed over; empty for other loads
   * @param completion of batches, until all of one had ended; empty for other loads
   */
  public record Distributions(
      Distribution response,
      Distribution service,
      Distribution sendLag,
      Distribution handOver,
      Distribution completion) {}

  /**
   * When requests were sent.
   *
   * @param begin when the measured part began, by the clock of the machine; for an open load when
   *     it was scheduled to
   * @param count how many requests of an open load were sent; 0 for others
   * @param seconds from the beginning until the last of them was; 0 for others
   */
  public record Sending(Instant begin, long count, double seconds) {}

  /**
   * What batches took.
   *
   * @param count how many there were
   * @param size requests of each; the last may have been smaller
   * @param requests of all of them together
   * @param handingOver how long it took to hand these over, in all
   * @param handOver until all requests of a batch were handed over
   * @param completion until all had ended
   */
  public record Batches(
      long count,
      int size,
      long requests,
      Duration handingOver,
      Latency handOver,
      Latency completion) {

    /**
     * Requests handed over a second, whatever became of them: not to be taken for a throughput. A
     * client that takes requests and answers none has the most of it.
     */
    public double handOversPerSecond() {
      return handingOver.isZero() ? 0 : requests * 1e9 / handingOver.toNanos();
    }
  }

  /**
   * How many requests were held.
   *
   * @param asked how many were to be
   * @param begun how many were begun
   * @param most the most at once
   * @param atEnd how many when the time was up
   * @param beginning how long it took to begin them
   * @param reachedAfter when there were the most
   * @param why why there were not more; empty where all were held to the end
   */
  public record Held(
      int asked,
      int begun,
      long most,
      long atEnd,
      Duration beginning,
      Duration reachedAfter,
      String why) {}

  /** A report of a tally alone. */
  static LoadReport of(LoadShape shape, Instant begin, Duration duration, Tally tally) {
    long answered = tally.answeredCount();
    double seconds = duration.toNanos() / 1e9;
    return new LoadReport(
        shape,
        duration,
        answered,
        tally.bodyBytes(),
        seconds > 0 ? answered / seconds : 0,
        tally.latency(),
        tally.service(),
        tally.sendLag(),
        tally.errors(),
        tally.droppedCount(),
        "",
        List.of(),
        null,
        null,
        null,
        tally.distributions(),
        new Sending(begin, 0, 0));
  }

  /**
   * The same of an open load, its rate taken over the time in which requests were sent.
   *
   * @param sent how many were
   * @param seconds until the last was
   */
  LoadReport withSending(long sent, double seconds) {
    double over = shape.secondsOfSending(sent, seconds);
    double rate = over > 0 ? answered / over : 0;
    return with(rate, batches, held, distributions, new Sending(sending.begin, sent, seconds));
  }

  LoadReport withBatches(Batches found, Distribution handOver, Distribution completion) {
    var all = new Distributions(
        distributions.response, distributions.service, distributions.sendLag, handOver, completion);
    return with(requestsPerSecond, found, held, all, sending);
  }

  LoadReport withHeld(Held found) {
    return with(requestsPerSecond, batches, found, distributions, sending);
  }

  private LoadReport with(
      double rate,
      @Nullable Batches ofBatches,
      @Nullable Held ofHeld,
      Distributions all,
      Sending when) {
    return new LoadReport(
        shape, duration, answered, bodyBytes, rate, latency, service, sendLag, errors, dropped,
        cutShort, doubts, generator, ofBatches, ofHeld, all, when);
  }

  LoadReport withCutShort(String why) {
    return with(why, doubts, generator);
  }

  LoadReport withGenerator(@Nullable GeneratorCost cost, List<String> found) {
    return with(cutShort, found, cost);
  }

  private LoadReport with(String why, List<String> doubting, @Nullable GeneratorCost cost) {
    return new LoadReport(
        shape,
        duration,
        answered,
        bodyBytes,
        requestsPerSecond,
        latency,
        service,
        sendLag,
        errors,
        dropped,
        why,
        doubting,
        cost,
        batches,
        held,
        distributions,
        sending);
  }

  /** How many requests failed, for whatever cause. */
  public long failed() {
    return errors.stream().mapToLong(ErrorCause::count).sum();
  }

  /** Whether the load was ended before its extent: what it measured is a part of what was asked. */
  public boolean isPartial() {
    return !cutShort.isEmpty();
  }

  /** Whether the generator kept up, so that the figures are the target's. */
  public boolean isValid() {
    return doubts.isEmpty();
  }
}
