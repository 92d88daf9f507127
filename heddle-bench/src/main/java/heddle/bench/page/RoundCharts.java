package heddle.bench.page;

import heddle.bench.page.Chart.Axis;
import heddle.bench.page.Chart.Point;
import heddle.bench.page.Chart.Scale;
import heddle.bench.page.Chart.Series;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Run;
import heddle.bench.result.Soundness;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Charts of a figure by round, which show whether the machine drifted. */
final class RoundCharts {

  private static final List<Figure> SHOWN = List.of(Figure.RATE, Figure.P99, Figure.CPU);

  static final String NOTE = "Every run, including invalid ones: a cross is a run that"
      + " is in no median, a hollow mark one that the machine disturbed.";

  private RoundCharts() {}

  /** The charts of a cell; none if there is only one round. */
  static List<Chart> of(CellResults cell) {
    List<Chart> charts = new ArrayList<>();
    for (Figure figure : SHOWN) {
      TreeSet<Integer> rounds = new TreeSet<>();
      List<Series> series = new ArrayList<>();
      for (Measurement each : cell.clients()) {
        List<Point> points = points(each, figure);
        points.forEach(point -> rounds.add((int) point.x()));
        if (!points.isEmpty()) {
          series.add(new Series(each.client(), points));
        }
      }
      if (rounds.size() > 1) {
        Label label = Label.of(figure);
        charts.add(new Chart(
            CellSection.id(cell) + "-rounds-" + figure.key(),
            label.title(),
            "",
            Axis.of("round", rounds.stream().map(String::valueOf).toList()),
            Axis.of(label.title(), Scale.LINEAR, label.unit()),
            at(List.copyOf(rounds), series),
            table(List.copyOf(rounds), series, label.unit())));
      }
    }
    return charts;
  }

  private static List<Point> points(Measurement measurement, Figure figure) {
    List<Point> points = new ArrayList<>();
    for (Run run : measurement.runs()) {
      Double value = run.figures().of(figure);
      if (value != null) {
        String state =
            run.soundness() instanceof Soundness.Valid ? "" : run.soundness().label();
        points.add(new Point(run.round(), value, value, value, state));
      }
    }
    return points;
  }

  /** A copy with the index of each round in place of its number. */
  private static List<Series> at(List<Integer> rounds, List<Series> series) {
    List<Series> placed = new ArrayList<>();
    for (Series each : series) {
      List<Point> points = new ArrayList<>();
      for (Point point : each.points()) {
        int place = rounds.indexOf((int) point.x());
        points.add(new Point(place, point.y(), point.low(), point.high(), point.soundness()));
      }
      placed.add(new Series(each.client(), points));
    }
    return placed;
  }

  private static Table table(List<Integer> rounds, List<Series> series, Unit unit) {
    List<String> head = new ArrayList<>(List.of("client"));
    rounds.forEach(each -> head.add("round " + each));
    List<Table.Row> rows = new ArrayList<>();
    for (Series each : series) {
      List<String> fields = new ArrayList<>();
      for (int round : rounds) {
        fields.add(each.points().stream()
            .filter(point -> point.x() == round)
            .map(point -> (unit.show(point.y()) + " " + point.soundness()).strip())
            .findFirst()
            .orElse("–"));
      }
      rows.add(Table.ofClient(each.client(), fields));
    }
    return new Table(head, rows);
  }
}
