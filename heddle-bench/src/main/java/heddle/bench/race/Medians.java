package heddle.bench.race;

import heddle.bench.result.Measurement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes one measurement of the runs of a client in a cell. */
final class Medians {

  private Medians() {}

  static Measurement of(String cell, String client, List<RunFigures> runs) {
    Map<String, Long> errors = new TreeMap<>();
    for (RunFigures run : runs) {
      run.errorsByCause().forEach((cause, count) -> errors.merge(cause, count, Long::sum));
    }
    return new Measurement(
        cell,
        client,
        runs.size(),
        median(runs.stream().mapToDouble(RunFigures::requestsPerSecond).toArray()),
        median(runs.stream().mapToDouble(RunFigures::p50Micros).toArray()),
        median(runs.stream().mapToDouble(RunFigures::p99Micros).toArray()),
        errors.values().stream().mapToLong(Long::longValue).sum(),
        errors,
        median(runs, RunFigures::cpuMicrosPerRequest),
        median(runs, RunFigures::allocatedBytesPerRequest),
        whole(median(runs, RunFigures::peakHeapBytes)),
        whole(median(runs, RunFigures::heapAfterGcBytes)),
        whole(median(runs, RunFigures::peakRssBytes)),
        count(median(runs, RunFigures::platformThreads)),
        count(median(runs, RunFigures::idleJvmThreads)));
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
