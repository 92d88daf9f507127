package heddle.cli.live;

import heddle.load.ErrorCause;
import heddle.load.record.Latency;
import java.time.Duration;
import java.util.List;

/**
 * The state of a load at some moment.
 *
 * @param phase its phase
 * @param fraction the completed share of the measured part, 0 to 1
 * @param elapsed the time since the measured part began
 * @param left the remaining time or work, such as {@code 14 s left}; empty if unknown
 * @param answered good answers so far
 * @param rate good answers per second in the last seconds
 * @param rates the rate of each second, the latest last
 * @param window the length of the last seconds; zero if response times are unknown
 * @param recent response times of the last seconds
 * @param whole response times so far
 * @param inFlight the number of unfinished requests
 * @param sendLag the send lag of the last seconds; empty if the load has no schedule
 * @param dropped requests that were not sent, because too many were unfinished
 * @param failed the number of failures
 * @param errors the causes of failures, most frequent first
 * @param doubts why the figures would not count if the load ended now
 * @param note a further note; may be empty
 */
record LoadMoment(
    Phase phase,
    double fraction,
    Duration elapsed,
    String left,
    long answered,
    double rate,
    List<Double> rates,
    Duration window,
    Latency recent,
    Latency whole,
    long inFlight,
    Latency sendLag,
    long dropped,
    long failed,
    List<ErrorCause> errors,
    List<String> doubts,
    String note) {

  enum Phase {
    WARMING_UP,
    MEASURING,
    FINISHING
  }
}
