package heddle.bench.page;

import heddle.bench.result.Costs;
import heddle.bench.result.Figure;
import heddle.bench.result.RaceResult;
import heddle.bench.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What requests cost with each client, as an image: a bar for each client of each cell. */
final class CostChart {

  private CostChart() {}

  /** The bars; null if the race has no such costs. */
  static @Nullable BarChart of(RaceResult result) {
    Costs costs = Costs.of(result);
    if (costs.cells().isEmpty()) {
      return null;
    }
    return new BarChart(
        "CPU time per request, as a multiple of " + costs.baseline() + "'s",
        Label.direction(Figure.CPU),
        costs.sentence(),
        costs.cells().stream().map(CostChart::group).toList());
  }

  private static BarChart.Group group(Costs.OfCell cell) {
    List<BarChart.Bar> bars = new ArrayList<>();
    for (Costs.OfClient each : cell.clients()) {
      Estimate ratio = each.ratio();
      if (ratio != null) {
        bars.add(new BarChart.Bar(
            each.client(),
            ratio.interval().low(),
            ratio.median(),
            ratio.interval().high(),
            Costs.times(ratio.median()) + "×" + doubt(each.standing())));
      } else if (each.standing() == Costs.Standing.BASELINE) {
        bars.add(new BarChart.Bar(each.client(), 1, 1, 1, Costs.times(1) + "×"));
      }
    }
    return new BarChart.Group(cell.cell().label(), bars);
  }

  private static String doubt(Costs.Standing standing) {
    return switch (standing) {
      case UNDECIDED -> " (undecided)";
      case NO_DEARER -> " (no dearer)";
      case NO_CHEAPER -> " (no cheaper)";
      case BASELINE, DIFFERENT, SAME, NOT_COMPARED -> "";
    };
  }
}
