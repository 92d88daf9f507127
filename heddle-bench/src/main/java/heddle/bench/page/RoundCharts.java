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
      List<Integer> rounds = cell.clients().stream()
          .flatMap(each -> each.runs().stream())
          .filter(run -> run.figures().of(figure) != null)
          .map(Run::round)
          .distinct()
          .sorted()
          .toList();
      if (rounds.size() > 1) {
        List<Series> series = cell.clients().stream()
            .map(each -> new Series(each.client(), points(each, figure, rounds)))
            .filter(each -> !each.points().isEmpty())
            .toList();
        Label label = Label.of(figure);
        List<String> names = rounds.stream().map(String::valueOf).toList();
        charts.add(new Chart(
            CellSection.id(cell) + "-rounds-" + figure.key(),
            label.title(),
            "",
            Axis.of("round", names),
            Axis.of(label.title(), Scale.LINEAR, label.unit()),
            series,
            Chart.table(
                "client",
                names.stream().map(each -> "round " + each).toList(),
                series,
                label.unit())));
      }
    }
    return charts;
  }

  private static List<Point> points(Measurement measurement, Figure figure, List<Integer> rounds) {
    List<Point> points = new ArrayList<>();
    for (Run run : measurement.runs()) {
      Double value = run.figures().of(figure);
      if (value != null) {
        String state =
            run.soundness() instanceof Soundness.Valid ? "" : run.soundness().label();
        points.add(new Point(rounds.indexOf(run.round()), value, value, value, state));
      }
    }
    return points;
  }
}
