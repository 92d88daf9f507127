package heddle.cli.live;

import heddle.load.record.Latency;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Figures of the last seconds, computed from one copy per second of histograms that only grow. Used
 * by one thread.
 */
final class Recent {

  private static final long SECOND = 1_000_000_000L;
  private static final long WINDOW = 5 * SECOND;
  private static final int RATES = 60;

  private final Deque<Sample> samples = new ArrayDeque<>();
  private final List<Double> rates = new ArrayList<>();
  private Latency responses = Latency.NONE;
  private Latency lags = Latency.NONE;
  private double rate;
  private long windowNanos;

  private record Sample(long nanos, Histogram responses, Histogram lags) {}

  /**
   * Adds copies of the histograms.
   *
   * @param nanos the present time
   * @param allResponses all response times so far
   * @param allLags all send lags so far
   */
  void look(long nanos, Histogram allResponses, Histogram allLags) {
    Sample now = new Sample(nanos, allResponses, allLags);
    if (samples.isEmpty()) {
      samples.add(now);
      return;
    }
    while (samples.size() > 1 && nanos - second().nanos() >= WINDOW) {
      samples.removeFirst();
    }
    Sample oldest = samples.getFirst();
    Histogram within = difference(allResponses, oldest.responses());
    windowNanos = Math.max(1, nanos - oldest.nanos());
    rate = within.getTotalCount() * 1e9 / windowNanos;
    responses = Latency.ofNanos(within);
    lags = Latency.ofNanos(difference(allLags, oldest.lags()));
    Sample latest = samples.getLast();
    long since = nanos - latest.nanos();
    if (since >= SECOND) {
      long more = allResponses.getTotalCount() - latest.responses().getTotalCount();
      rates.add(more * 1e9 / since);
      if (rates.size() > RATES) {
        rates.removeFirst();
      }
      samples.add(now);
    }
  }

  private Sample second() {
    return samples.stream().skip(1).findFirst().orElseThrow();
  }

  private static Histogram difference(Histogram all, Histogram before) {
    Histogram rest = all.copy();
    rest.subtract(before);
    return rest;
  }

  /** The time that the figures cover, less than 6 s. */
  Duration window() {
    return Duration.ofNanos(windowNanos);
  }

  /** Responses per second. */
  double rate() {
    return rate;
  }

  /** The rate of each second, of at most the last minute. */
  List<Double> rates() {
    return List.copyOf(rates);
  }

  Latency responses() {
    return responses;
  }

  Latency lags() {
    return lags;
  }
}
