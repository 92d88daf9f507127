package heddle.bench.report;

import heddle.bench.result.Measurement;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A figure that reports show, with its unit and the direction in which it is better. */
enum Metric {
  RATE("req/s", "Requests a second", "more is better", 0, 1, m -> m.requestsPerSecond()),
  P50("p50 µs", "Median latency, µs", "less is better", 0, 1, m -> m.p50Micros()),
  P99("p99 µs", "99th percentile of the latency, µs", "less is better", 0, 1, m -> m.p99Micros()),
  CPU(
      "CPU µs/req",
      "CPU time of the client for each request, µs",
      "less is better",
      1,
      1,
      m -> m.cpuMicrosPerRequest()),
  CPU_PER_MIB(
      "CPU µs/MiB",
      "CPU time of the client for each MiB of content, µs",
      "less is better",
      0,
      1,
      m -> m.cpuMicrosPerMiB()),
  ALLOCATED(
      "B/req",
      "Bytes allocated for each request",
      "less is better",
      0,
      1,
      m -> m.allocatedBytesPerRequest()),
  HEAP(
      "heap MiB",
      "Peak heap, garbage included, MiB",
      "less is better",
      1,
      1 << 20,
      m -> number(m.peakHeapBytes())),
  HEAP_AFTER_GC(
      "live MiB",
      "Peak heap after a collection, MiB",
      "less is better",
      1,
      1 << 20,
      m -> number(m.heapAfterGcBytes())),
  RSS(
      "RSS MiB",
      "Peak resident set, MiB",
      "less is better",
      0,
      1 << 20,
      m -> number(m.peakRssBytes())),
  KEPT(
      "kept %",
      "Throughput beside a slow reader, % of that without it",
      "more is better",
      0,
      0.01,
      m -> m.keptShare()),
  THREADS(
      "threads",
      "Most platform threads at once, the JVM's own included",
      "less is better",
      0,
      1,
      m -> number(m.platformThreads()));

  private final String heading;
  private final String title;
  private final String direction;
  private final int decimals;
  private final double unit;

  @SuppressWarnings("ImmutableEnumChecker") // the functions above hold no state
  private final Function<Measurement, @Nullable Double> figure;

  Metric(
      String heading,
      String title,
      String direction,
      int decimals,
      double unit,
      Function<Measurement, @Nullable Double> figure) {
    this.heading = heading;
    this.title = title;
    this.direction = direction;
    this.decimals = decimals;
    this.unit = unit;
    this.figure = figure;
  }

  private static @Nullable Double number(@Nullable Number value) {
    return value == null ? null : value.doubleValue();
  }

  String heading() {
    return heading;
  }

  String title() {
    return title;
  }

  String direction() {
    return direction;
  }

  /** The figure in the metric's unit, or null when the client has none. */
  @Nullable
  Double of(Measurement measurement) {
    Double value = figure.apply(measurement);
    return value == null ? null : value / unit;
  }

  /** The figure as text; {@code -} when there is none. */
  String show(Measurement measurement) {
    Double value = of(measurement);
    return value == null ? "-" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** How many times the reference's figure this one is; empty when that cannot be said. */
  String ratio(Measurement measurement, @Nullable Measurement reference) {
    Double value = of(measurement);
    Double one = reference == null ? null : of(reference);
    if (value == null || one == null || one <= 0) {
      return "";
    }
    double times = value / one;
    return String.format(Locale.ROOT, times < 10 ? "%.2f×" : "%.0f×", times);
  }
}
