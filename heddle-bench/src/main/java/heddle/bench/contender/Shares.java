package heddle.bench.contender;

import heddle.bench.result.FailedRequests;
import heddle.bench.result.Figure;
import heddle.bench.result.Outcome;
import heddle.bench.result.Recording;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Series;
import heddle.load.record.Distribution;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Adds up the results of several processes of one client, each with its share of one load. */
final class Shares {

  /** Figures that are summed. */
  private static final Set<Figure> SUMS = EnumSet.of(
      Figure.RATE,
      Figure.ASKED_RATE,
      Figure.DROPPED,
      Figure.ANSWERED,
      Figure.SENT,
      Figure.CPU_CORES,
      Figure.PEAK_HEAP,
      Figure.MEAN_HEAP,
      Figure.HEAP_AFTER_GC,
      Figure.LIVE_SET,
      Figure.PEAK_RSS,
      Figure.GC_COUNT,
      Figure.GC_MILLIS,
      Figure.THREADS,
      Figure.IDLE_THREADS,
      Figure.CONNECTIONS,
      Figure.HELD_ASKED,
      Figure.HELD_MOST,
      Figure.HELD_AT_END,
      Figure.BATCHES);

  /** Figures per request, which are averaged. */
  private static final Set<Figure> AVERAGES = EnumSet.of(
      Figure.FAILED_SHARE,
      Figure.CPU,
      Figure.CPU_PER_MIB,
      Figure.COMPILING,
      Figure.ALLOCATED,
      Figure.VOLUNTARY_SWITCHES,
      Figure.INVOLUNTARY_SWITCHES,
      Figure.HELD_HEAP,
      Figure.HELD_RSS);

  private Shares() {}

  /**
   * Combines at least one outcome. Figures that are neither sums nor averages are the worst ones.
   */
  static Outcome sum(List<Outcome> shares) {
    if (shares.size() == 1) {
      return shares.getFirst();
    }
    Map<Figure, Double> values = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      if (shares.stream().allMatch(share -> share.figures().of(figure) != null)) {
        values.put(figure, together(figure, shares));
      }
    }
    Map<String, Long> errors = new TreeMap<>();
    Set<String> doubts = new LinkedHashSet<>();
    for (Outcome share : shares) {
      share.figures().errorsByCause().forEach((cause, n) -> errors.merge(cause, n, Long::sum));
      doubts.addAll(share.doubts());
    }
    return new Outcome(new RunFigures(values, errors), List.copyOf(doubts), recording(shares));
  }

  private static double together(Figure figure, List<Outcome> shares) {
    double sum = 0;
    double worst = Double.NEGATIVE_INFINITY;
    double weighed = 0;
    double weights = 0;
    for (Outcome share : shares) {
      double value = share.figures().values().getOrDefault(figure, 0.0);
      double weight = share.figures().values().getOrDefault(Figure.SENT, 1.0);
      sum += value;
      worst = Math.max(worst, value);
      weighed += value * weight;
      weights += weight;
    }
    if (SUMS.contains(figure)) {
      return sum;
    }
    return AVERAGES.contains(figure) && weights > 0 ? weighed / weights : worst;
  }

  /** Omits time series, because several processes have no common clock. */
  private static Recording recording(List<Outcome> shares) {
    List<FailedRequests> failures = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    for (Outcome share : shares) {
      failures.addAll(share.recording().failures());
      remarks.addAll(share.recording().remarks());
    }
    remarks.add(shares.size() + " processes, each with its share and its own server");
    return new Recording(
        added(shares, Recording::response),
        added(shares, Recording::service),
        added(shares, Recording::sendLag),
        Series.NONE,
        null,
        failures,
        remarks);
  }

  private static Distribution added(
      List<Outcome> shares, Function<Recording, Distribution> distribution) {
    return Distribution.sum(
        shares.stream().map(share -> distribution.apply(share.recording())).toList());
  }
}
