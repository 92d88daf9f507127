package heddle.load;

import heddle.load.record.Distribution;
import heddle.load.record.GeneratorCost;
import heddle.load.record.Latency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a load. No figure includes the warm-up.
 *
 * @param shape the load
 * @param duration how long the measured part took: until the time was up, or until the last answer
 *     if the extent is a number of requests
 * @param answered complete answers with a status of 200 to 299
 * @param bodyBytes bytes of content in those answers
 * @param requestsPerSecond those answers per second; for an open load, over the time in which their
 *     requests were sent
 * @param latency the response time of those answers, from the intended start of the request: in a
 *     closed load the call, in an open load the scheduled time, in a batch its beginning
 * @param service the service time of those answers, from the actual start of the request: what a
 *     load without a schedule would have measured
 * @param sendLag of all requests, from the intended start to the actual one; all 0 if these are the
 *     same
 * @param errors the causes of failures, most frequent first
 * @param dropped requests of an open load that were not sent, because too many were unfinished
 * @param cutShort why the load ended before its extent; empty if it did not
 * @param doubts why the figures do not count, such as that the generator fell behind; empty if they
 *     count
 * @param generator the cost of the generator's process; null if it was not measured
 * @param batches the times of batches; null for other loads
 * @param held how many requests were held; null for other loads
 * @param distributions the histograms of latency, service and send lag
 * @param sending when requests were sent
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
   * Histograms of the durations.
   *
   * @param response of good answers, from the intended start of their requests
   * @param service of good answers, from the actual start
   * @param sendLag of all requests, from the intended start to the actual one; empty if these are
   *     the same
   * @param handOver of batches, until all requests of one were handed over; empty for other loads
   * @param completion of batches, until all requests of one had ended; empty for other loads
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
   * @param begin when the measured part began, by the clock of the machine; for an open load its
   *     scheduled begin
   * @param count how many requests of an open load were sent; 0 for others
   * @param seconds from the beginning until the last of them was sent, or answered if the client is
   *     measured; 0 for others
   */
  public record Sending(Instant begin, long count, double seconds) {}

  /**
   * The times of batches.
   *
   * @param count the number of batches
   * @param size requests per batch; the last may have been smaller
   * @param requests requests of all batches
   * @param handingOver how long it took to hand all requests over
   * @param handOver the time until all requests of a batch were handed over
   * @param completion the time until all had ended
   */
  public record Batches(
      long count,
      int size,
      long requests,
      Duration handingOver,
      Latency handOver,
      Latency completion) {

    /**
     * Requests handed over per second, successful or not. This is not a throughput: a client that
     * accepts requests and answers none would have the highest value.
     */
    public double handOversPerSecond() {
      return handingOver.isZero() ? 0 : requests * 1e9 / handingOver.toNanos();
    }
  }

  /**
   * How many requests were held.
   *
   * @param asked the requested number
   * @param begun how many were begun
   * @param most the highest number at once
   * @param atEnd the number when the time was up
   * @param beginning how long it took to begin them
   * @param reachedAfter when the highest number was reached
   * @param why why there were not more; empty if all were held to the end
   */
  public record Held(
      int asked,
      int begun,
      long most,
      long atEnd,
      Duration beginning,
      Duration reachedAfter,
      String why) {}

  /** Creates a report from a tally. */
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
   * The report of an open load, with its rate over the time in which requests were sent.
   *
   * @param sent how many were sent
   * @param seconds until the last was sent
   */
  LoadReport withSending(long sent, double seconds) {
    double over = shape.secondsOfSending(sent, seconds);
    double rate = over > 0 ? answered / over : 0;
    return with(rate, batches, held, distributions, new Sending(sending.begin, sent, seconds));
  }

  /** A copy that began earlier by this much: the same moment by another clock. */
  public LoadReport earlierBy(Duration ahead) {
    Sending when = new Sending(sending.begin.minus(ahead), sending.count, sending.seconds);
    return with(requestsPerSecond, batches, held, distributions, when);
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

  /**
   * The report at the end of the load.
   *
   * @param why why it ended before its extent; empty if it did not
   * @param doubting why the figures do not count
   * @param cost the cost of the generator's process; null if it was not measured
   */
  LoadReport ended(String why, List<String> doubting, @Nullable GeneratorCost cost) {
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

  /** How many requests failed, for any cause. */
  public long failed() {
    return errors.stream().mapToLong(ErrorCause::count).sum();
  }

  /** Whether the load ended before its extent, so that it has measured only a part. */
  public boolean isPartial() {
    return !cutShort.isEmpty();
  }

  /** Whether the figures are those of the target, because the generator kept up. */
  public boolean isValid() {
    return doubts.isEmpty();
  }
}
