package heddle.cli.live;

import heddle.bench.load.ErrorCause;
import heddle.bench.record.Latency;
import java.time.Duration;
import java.util.List;

/**
 * How a load is doing.
 *
 * @param phase what it is at
 * @param fraction how much of the measured part is done, 0 to 1
 * @param elapsed since the measured part began
 * @param left what is left of it, such as {@code 14 s left}; empty where nobody knows
 * @param answered good answers so far
 * @param rate good answers a second in the last seconds
 * @param rates the same second by second, the latest last
 * @param window how long the last seconds are; zero where nobody knows response times
 * @param recent response times of the last seconds
 * @param whole response times so far
 * @param inFlight requests that have begun and not ended
 * @param sendLag by how much requests of the last seconds were late; none where a load cannot be
 * @param dropped requests that were not sent, because too many had not ended
 * @param failed how many failed
 * @param errors how they did, most frequent first
 * @param doubts why the figures would not count as it looks now
 * @param note what else is to be known; empty for nothing
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
