package heddle.bench.report;

import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A figure that reports show, with its heading, unit and precision. */
enum Metric {
  RATE(Figure.RATE, "req/s", 0, 1),
  HAND_OVERS(Figure.HAND_OVER_RATE, "handed/s", 0, 1),
  HELD(Figure.HELD_MOST, "held", 0, 1),
  HELD_AT_END(Figure.HELD_AT_END, "at end", 0, 1),
  HELD_SECONDS(Figure.HELD_SECONDS, "after s", 2, 1),
  SEND_LAG(Figure.SEND_LAG_P99, "lag ms", 2, 1e3),
  MEAN_MILLIS(Figure.MEAN, "mean ms", 2, 1e3),
  P50(Figure.P50, "p50 µs", 0, 1),
  P99(Figure.P99, "p99 µs", 0, 1),
  P99_MILLIS(Figure.P99, "p99 ms", 2, 1e3),
  MAX_MILLIS(Figure.MAX, "max ms", 2, 1e3),
  HAND_OVER(Figure.HAND_OVER_MEAN, "handing ms", 2, 1e3),
  BATCH(Figure.BATCH_MEAN, "batch ms", 2, 1e3),
  DROPPED(Figure.DROPPED, "dropped", 0, 1),
  CPU(Figure.CPU, "CPU µs/req", 1, 1),
  CPU_PER_MIB(Figure.CPU_PER_MIB, "CPU µs/MiB", 0, 1),
  ALLOCATED(Figure.ALLOCATED, "B/req", 0, 1),
  HEAP(Figure.PEAK_HEAP, "heap MiB", 1, 1 << 20),
  MEAN_HEAP(Figure.MEAN_HEAP, "avg heap MiB", 1, 1 << 20),
  HEAP_AFTER_GC(Figure.HEAP_AFTER_GC, "live MiB", 1, 1 << 20),
  RSS(Figure.PEAK_RSS, "RSS MiB", 0, 1 << 20),
  HELD_HEAP(Figure.HELD_HEAP, "heap B/held", 0, 1),
  HELD_RSS(Figure.HELD_RSS, "RSS B/held", 0, 1),
  KEPT(Figure.KEPT, "kept %", 0, 0.01),
  THREADS(Figure.THREADS, "threads", 0, 1),
  FIRST_ANSWER(Figure.FIRST_ANSWER, "first ms", 0, 1),
  FIRST_ANSWER_SINCE_MAIN(Figure.FIRST_ANSWER_SINCE_MAIN, "of it main ms", 0, 1),
  FIRST_ANSWER_CPU(Figure.FIRST_ANSWER_CPU, "CPU ms", 0, 1),
  CLASSES(Figure.CLASSES, "classes", 0, 1),
  SERVER_PEAK(Figure.SERVER_PEAK, "served at once", 0, 1),
  SERVER_HEAP(Figure.SERVER_HEAP, "heap MiB", 1, 1 << 20),
  SERVER_PEAK_HEAP(Figure.SERVER_PEAK_HEAP, "peak MiB", 1, 1 << 20),
  SERVER_COMMITTED_HEAP(Figure.SERVER_COMMITTED_HEAP, "reserved MiB", 1, 1 << 20),
  SERVER_LIVE(Figure.SERVER_LIVE_SET, "live MiB", 1, 1 << 20),
  SERVER_RSS(Figure.SERVER_PEAK_RSS, "RSS MiB", 0, 1 << 20),
  SERVER_CONNECTION_RSS(Figure.SERVER_CONNECTION_RSS, "RSS B/conn", 0, 1),
  SERVER_THREADS(Figure.SERVER_THREADS, "threads", 0, 1),
  SERVER_CPU(Figure.SERVER_CPU, "CPU µs/req", 1, 1);

  private static final List<Metric> CLOSED =
      List.of(RATE, P50, P99, CPU, CPU_PER_MIB, ALLOCATED, HEAP, HEAP_AFTER_GC, RSS, KEPT, THREADS);

  private static final List<Metric> OPEN = List.of(
      RATE,
      SEND_LAG,
      MEAN_MILLIS,
      P99_MILLIS,
      MAX_MILLIS,
      DROPPED,
      CPU,
      CPU_PER_MIB,
      ALLOCATED,
      HEAP,
      MEAN_HEAP,
      RSS,
      THREADS);

  private static final List<Metric> BATCHES = List.of(
      RATE,
      HAND_OVERS,
      MEAN_MILLIS,
      P99_MILLIS,
      MAX_MILLIS,
      HAND_OVER,
      BATCH,
      SERVER_PEAK,
      CPU,
      ALLOCATED,
      HEAP,
      RSS,
      THREADS);

  private static final List<Metric> HOLDING = List.of(
      HELD,
      HELD_AT_END,
      HELD_SECONDS,
      CPU,
      ALLOCATED,
      HEAP,
      MEAN_HEAP,
      RSS,
      HELD_HEAP,
      HELD_RSS,
      THREADS);

  private static final List<Metric> STARTS =
      List.of(FIRST_ANSWER, FIRST_ANSWER_SINCE_MAIN, FIRST_ANSWER_CPU, CLASSES, RSS, THREADS);

  private static final List<Metric> SERVERS = List.of(
      RATE,
      P50,
      P99,
      SERVER_HEAP,
      SERVER_PEAK_HEAP,
      SERVER_COMMITTED_HEAP,
      SERVER_LIVE,
      SERVER_RSS,
      SERVER_CONNECTION_RSS,
      SERVER_THREADS,
      SERVER_CPU,
      SERVER_PEAK);

  private final Figure figure;
  private final String heading;
  private final int decimals;
  private final double unit;

  Metric(Figure figure, String heading, int decimals, double unit) {
    this.figure = figure;
    this.heading = heading;
    this.decimals = decimals;
    this.unit = unit;
  }

  /** The metrics for a kind of load, in the order of a table's columns. */
  static List<Metric> of(LoadKind kind) {
    return switch (kind) {
      case CLOSED -> CLOSED;
      case FIRST -> STARTS;
      case SERVED -> SERVERS;
      case OPEN -> OPEN;
      case BATCH -> BATCHES;
      case HELD -> HOLDING;
    };
  }

  String heading() {
    return heading;
  }

  /** The figure in the metric's unit, or null if the client has none. */
  @Nullable
  Double of(Measurement measurement) {
    Double value = measurement.of(figure);
    return value == null ? null : value / unit;
  }

  /** The figure as text; {@code -} if there is none. */
  String show(Measurement measurement) {
    Double value = of(measurement);
    return value == null ? "-" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** The ratio to the reference's figure; empty if there is none. */
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
