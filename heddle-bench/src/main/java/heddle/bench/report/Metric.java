package heddle.bench.report;

import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A figure that reports show, with its unit and the direction in which it is better. */
enum Metric {
  RATE(Figure.RATE, "req/s", "Requests a second", 0, 1),
  P50(Figure.P50, "p50 µs", "Median latency, µs", 0, 1),
  P99(Figure.P99, "p99 µs", "99th percentile of the latency, µs", 0, 1),
  CPU(Figure.CPU, "CPU µs/req", "CPU time of the client for each request, µs", 1, 1),
  CPU_PER_MIB(
      Figure.CPU_PER_MIB, "CPU µs/MiB", "CPU time of the client for each MiB of content, µs", 0, 1),
  ALLOCATED(Figure.ALLOCATED, "B/req", "Bytes allocated for each request", 0, 1),
  HEAP(Figure.PEAK_HEAP, "heap MiB", "Peak heap, garbage included, MiB", 1, 1 << 20),
  HEAP_AFTER_GC(Figure.HEAP_AFTER_GC, "live MiB", "Peak heap after a collection, MiB", 1, 1 << 20),
  RSS(Figure.PEAK_RSS, "RSS MiB", "Peak resident set, MiB", 0, 1 << 20),
  KEPT(Figure.KEPT, "kept %", "Throughput beside a slow reader, % of that without it", 0, 0.01),
  THREADS(Figure.THREADS, "threads", "Most platform threads at once, the JVM's own included", 0, 1);

  private final Figure figure;
  private final String heading;
  private final String title;
  private final int decimals;
  private final double unit;

  Metric(Figure figure, String heading, String title, int decimals, double unit) {
    this.figure = figure;
    this.heading = heading;
    this.title = title;
    this.decimals = decimals;
    this.unit = unit;
  }

  Figure figure() {
    return figure;
  }

  String heading() {
    return heading;
  }

  String title() {
    return title;
  }

  String direction() {
    return figure.isMoreBetter() ? "more is better" : "less is better";
  }

  /** The figure in the metric's unit, or null when the client has none. */
  @Nullable
  Double of(Measurement measurement) {
    Double value = measurement.of(figure);
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
