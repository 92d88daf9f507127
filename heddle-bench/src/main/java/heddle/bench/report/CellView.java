package heddle.bench.report;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one cell.
 *
 * @param info the description of the cell
 * @param measurements one for each client
 * @param reference the baseline, with which the others are compared; null if it did not take part
 */
record CellView(CellInfo info, List<Measurement> measurements, @Nullable Measurement reference) {

  static List<CellView> of(RaceResult result) {
    List<CellView> views = new ArrayList<>();
    String baseline = result.environment().design().baseline();
    for (CellInfo cell :
        result.results().stream().map(Measurement::cell).distinct().toList()) {
      List<Measurement> own =
          result.results().stream().filter(m -> m.cell().equals(cell)).toList();
      @Nullable
      Measurement reference =
          own.stream().filter(m -> m.client().equals(baseline)).findFirst().orElse(null);
      views.add(new CellView(cell, own, reference));
    }
    return views;
  }

  String name() {
    return info.name();
  }

  /** The figures that matter here and that any client has. */
  List<Metric> metrics() {
    return Metric.of(info.kind()).stream()
        .filter(metric -> measurements.stream().anyMatch(m -> metric.of(m) != null))
        .toList();
  }

  /** The request and the connections: {@code GET /hello, 4 connections with 64 streams each}. */
  String description() {
    return info.method() + " " + info.path() + pace() + ", " + info.wiring();
  }

  /** When requests are sent; empty for a closed load, whose callers follow from the connections. */
  private String pace() {
    return switch (info.kind()) {
      case CLOSED, SERVED -> "";
      case FIRST -> ", the first request of a JVM";
      case OPEN -> {
        Double asked = measurements.stream()
            .map(each -> each.of(Figure.ASKED_RATE))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
        yield asked == null ? "" : String.format(Locale.ROOT, ", %,.0f asked a second", asked);
      }
      case BATCH -> String.format(Locale.ROOT, ", batches of %,d", info.inFlight());
      case HELD -> String.format(Locale.ROOT, ", %,d to be held", info.inFlight());
    };
  }

  /** How many connections a client had, marked if they were not those of the cell. */
  static String connections(Measurement measurement) {
    Double open = measurement.of(Figure.CONNECTIONS);
    if (open == null) {
      return "-";
    }
    long count = Math.round(open);
    return measurement.isHeldToItsConnections()
        ? String.valueOf(count)
        : count + " instead of " + measurement.cell().connections() + "!";
  }
}
