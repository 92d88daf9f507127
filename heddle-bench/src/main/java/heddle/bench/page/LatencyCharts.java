package heddle.bench.page;

import heddle.bench.page.Chart.Axis;
import heddle.bench.page.Chart.Point;
import heddle.bench.page.Chart.Scale;
import heddle.bench.page.Chart.Series;
import heddle.bench.result.Measurement;
import heddle.bench.result.Recording;
import heddle.bench.result.Run;
import heddle.load.record.Distribution;
import heddle.load.record.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Charts of latency by percentile, over all requests of the valid rounds. Both axes are
 * logarithmic, the percentiles by the share of requests above.
 */
final class LatencyCharts {

  static final String NOTE = "All valid rounds together, both axes logarithmic. The response"
      + " time counts from the intended start of a request, the time in service"
      + " from the actual start.";

  private static final int POINTS_PER_HALF = 8;

  private LatencyCharts() {}

  /** A client and all its durations. */
  private record Whole(String client, Distribution all) {}

  /** The charts of a cell; service time and lag only if requests had a schedule. */
  static List<Chart> of(CellResults cell) {
    List<Chart> charts = new ArrayList<>();
    boolean isScheduled = !wholes(cell, Recording::sendLag).isEmpty();
    add(charts, cell, "response", "Response time by percentile", Recording::response);
    if (isScheduled) {
      add(charts, cell, "service", "Time in service by percentile", Recording::service);
      add(charts, cell, "lag", "Send lag by percentile", Recording::sendLag);
    }
    return charts;
  }

  private static void add(
      List<Chart> charts,
      CellResults cell,
      String id,
      String title,
      Function<Recording, Distribution> which) {
    List<Whole> wholes = wholes(cell, which);
    if (!wholes.isEmpty()) {
      charts.add(new Chart(
          CellSection.id(cell) + "-" + id,
          title,
          "",
          Axis.of("percentile", Scale.PERCENTILE, Unit.SHARE),
          Axis.of(title.replace(" by percentile", ""), Scale.LOG, Unit.MICROS),
          wholes.stream().map(LatencyCharts::series).toList(),
          table(wholes)));
    }
  }

  private static List<Whole> wholes(CellResults cell, Function<Recording, Distribution> which) {
    List<Whole> wholes = new ArrayList<>();
    for (Measurement each : cell.clients()) {
      List<Distribution> parts =
          each.counted().stream().map(Run::recording).map(which).toList();
      Distribution all = Distribution.sum(parts);
      if (!all.isEmpty()) {
        wholes.add(new Whole(each.client(), all));
      }
    }
    return wholes;
  }

  private static Series series(Whole whole) {
    // With n requests, no percentile beyond 1 - 1/n is known.
    double last = 1 - 1.0 / whole.all().count();
    List<Point> points = new ArrayList<>();
    for (Distribution.Point each : whole.all().percentiles(POINTS_PER_HALF)) {
      // A logarithmic axis has no 0: less than 0.1 µs is drawn as 0.1 µs.
      points.add(Point.at(Math.min(each.percentile() / 100, last), Math.max(0.1, each.micros())));
    }
    return new Series(whole.client(), points);
  }

  private static Table table(List<Whole> wholes) {
    List<Table.Row> rows = new ArrayList<>();
    for (Whole each : wholes) {
      Latency latency = each.all().latency();
      List<String> fields = new ArrayList<>();
      for (double micros : new double[] {
        latency.mean(),
        latency.p50(),
        latency.p90(),
        latency.p99(),
        latency.p999(),
        latency.p9999(),
        latency.max()
      }) {
        fields.add(Unit.MICROS.show(micros));
      }
      fields.add(Unit.COUNT.show((double) each.all().count()));
      rows.add(Table.ofClient(each.client(), fields));
    }
    return new Table(
        List.of("client", "mean", "50%", "90%", "99%", "99.9%", "99.99%", "max", "requests"), rows);
  }
}
