package heddle.bench.page;

import heddle.bench.page.Chart.Axis;
import heddle.bench.page.Chart.Point;
import heddle.bench.page.Chart.Scale;
import heddle.bench.page.Chart.Series;
import heddle.bench.result.CellInfo;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.stats.Estimate;
import heddle.bench.stats.MedianEstimator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Charts of throughput and CPU time against a parameter in which cells differ: the number of
 * concurrent requests or the length of their content.
 */
final class SweepCharts {

  private static final List<Figure> SHOWN = List.of(Figure.RATE, Figure.CPU);

  private static final double SPREAD = 20;

  private SweepCharts() {}

  /** The charts; none if no two cells differ in only one of these parameters. */
  static List<Chart> of(List<CellResults> cells) {
    List<Chart> charts = new ArrayList<>();
    families(cells, SweepCharts::allButConcurrency, CellInfo::inFlight)
        .forEach((name, family) -> charts.addAll(
            charts(name, "requests at once", family, info -> String.valueOf(info.inFlight()))));
    families(cells, SweepCharts::allButSize, CellInfo::contentBytes)
        .forEach((name, family) -> charts.addAll(charts(
            name,
            "content of each request",
            family,
            info -> info.contentBytes() == 0
                ? "a few bytes"
                : Unit.BYTES.show((double) info.contentBytes()))));
    return charts;
  }

  private static String allButConcurrency(CellInfo info) {
    return info.group() + ", " + info.method() + " " + info.path();
  }

  private static String allButSize(CellInfo info) {
    return info.group() + ", " + info.method() + ", " + info.inFlight()
        + (info.inFlight() == 1 ? " request" : " requests") + " at once";
  }

  /** Excludes loads with a schedule, whose rate is given. */
  private static boolean isSwept(CellResults cell) {
    return cell.info().kind() == LoadKind.CLOSED || cell.info().kind() == LoadKind.BATCH;
  }

  /** Groups cells by a key, in the order of the parameter. */
  private static Map<String, List<CellResults>> families(
      List<CellResults> cells, Function<CellInfo, String> key, ToLongFunction<CellInfo> value) {
    Map<String, List<CellResults>> families = new LinkedHashMap<>();
    for (CellResults each : cells.stream().filter(SweepCharts::isSwept).toList()) {
      families
          .computeIfAbsent(key.apply(each.info()), name -> new ArrayList<>())
          .add(each);
    }
    families.values().removeIf(family -> {
      family.sort(Comparator.comparingLong(each -> value.applyAsLong(each.info())));
      long distinct = family.stream()
          .mapToLong(each -> value.applyAsLong(each.info()))
          .distinct()
          .count();
      return distinct < 2 || distinct < family.size();
    });
    return families;
  }

  private static List<Chart> charts(
      String name, String axis, List<CellResults> family, Function<CellInfo, String> named) {
    List<String> names = family.stream().map(each -> named.apply(each.info())).toList();
    List<Chart> charts = new ArrayList<>();
    for (Figure figure : SHOWN) {
      List<Series> series = series(family, figure);
      if (series.isEmpty()) {
        continue;
      }
      Label label = Label.of(figure);
      charts.add(new Chart(
          "sweep-" + CellSection.slug(name + "-" + axis) + "-" + figure.key(),
          label.title() + " against " + axis,
          name,
          Axis.of(axis, names),
          Axis.of(label.title(), scale(series), label.unit()),
          series,
          Chart.table(axis, names, series, label.unit())));
    }
    return charts;
  }

  /** Logarithmic if the highest value is many times the lowest. */
  private static Scale scale(List<Series> series) {
    DoubleSummaryStatistics heights = series.stream()
        .flatMap(each -> each.points().stream())
        .mapToDouble(Point::y)
        .summaryStatistics();
    return heights.getMax() > SPREAD * heights.getMin() ? Scale.LOG : Scale.LINEAR;
  }

  private static List<Series> series(List<CellResults> family, Figure figure) {
    Set<String> clients = new LinkedHashSet<>();
    family.forEach(cell -> cell.clients().forEach(each -> clients.add(each.client())));
    List<Series> series = new ArrayList<>();
    for (String client : clients) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < family.size(); i++) {
        for (Measurement each : family.get(i).clients()) {
          List<Double> values = List.copyOf(Medians.byRound(each.runs(), figure).values());
          if (each.client().equals(client) && !values.isEmpty()) {
            Estimate estimate =
                MedianEstimator.of(values, family.get(i).design().seed());
            points.add(new Point(
                i,
                estimate.median(),
                estimate.interval().low(),
                estimate.interval().high(),
                ""));
          }
        }
      }
      if (points.size() > 1) {
        series.add(new Series(client, points));
      }
    }
    return series;
  }
}
