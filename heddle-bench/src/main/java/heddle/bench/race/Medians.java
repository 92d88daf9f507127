package heddle.bench.race;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Measurement;
import heddle.bench.result.RunFigures;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes one measurement of the runs of a client in a cell. */
final class Medians {

  private static final double MIB = 1 << 20;

  private Medians() {}

  static Measurement of(CellInfo cell, String client, List<RunFigures> runs) {
    Map<String, Long> errors = new TreeMap<>();
    for (RunFigures run : runs) {
      run.errorsByCause().forEach((cause, count) -> errors.merge(cause, count, Long::sum));
    }
    Double cpu = median(runs, RunFigures::cpuMicrosPerRequest);
    return new Measurement(
        cell,
        client,
        runs.size(),
        median(runs.stream().mapToDouble(RunFigures::requestsPerSecond).toArray()),
        median(runs, RunFigures::p50Micros),
        median(runs, RunFigures::p99Micros),
        errors.values().stream().mapToLong(Long::longValue).sum(),
        errors,
        cpu,
        cpu == null || cell.contentBytes() == 0 ? null : cpu * MIB / cell.contentBytes(),
        median(runs, RunFigures::compilingShare),
        median(runs, RunFigures::allocatedBytesPerRequest),
        whole(median(runs, RunFigures::peakHeapBytes)),
        whole(median(runs, RunFigures::heapAfterGcBytes)),
        whole(median(runs, RunFigures::peakRssBytes)),
        count(median(runs, RunFigures::platformThreads)),
        count(median(runs, RunFigures::idleJvmThreads)),
        count(most(runs, RunFigures::connectionsOpen)),
        median(runs, RunFigures::keptShare));
  }

  /** The largest: a client that once opened too many connections is not held to its number. */
  private static @Nullable Double most(
      List<RunFigures> runs, Function<RunFigures, @Nullable Double> figure) {
    return runs.stream()
        .map(figure)
        .filter(Objects::nonNull)
        .max(Double::compare)
        .orElse(null);
  }

  private static @Nullable Double median(
      List<RunFigures> runs, Function<RunFigures, @Nullable Double> figure) {
    double[] values =
        runs.stream().map(figure).filter(Objects::nonNull).mapToDouble(v -> v).toArray();
    return values.length == 0 ? null : median(values);
  }

  /** The middle value, or the mean of the two in the middle. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static @Nullable Long whole(@Nullable Double value) {
    return value == null ? null : Math.round(value);
  }

  private static @Nullable Integer count(@Nullable Double value) {
    return value == null ? null : (int) Math.round(value);
  }
}
