package heddle.bench.page;

import heddle.bench.result.Figure;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import heddle.bench.stats.Estimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figure that answers an experiment's question, as an image. */
final class FigureChart {

  private FigureChart() {}

  /** The bars; null if the experiment names no figure, or no client has it. */
  static @Nullable BarChart of(RaceResult result, Story story) {
    Story.Chart chart = story.chart();
    if (chart == null) {
      return null;
    }
    Figure figure = chart.figure();
    List<BarChart.Group> groups = CellResults.of(result).stream()
        .filter(cell -> chart.shows(cell.info()))
        .filter(cell -> cell.figures().contains(figure))
        .map(cell -> group(cell, figure))
        .toList();
    if (groups.isEmpty()) {
      return null;
    }
    String title = Label.of(figure).title();
    return new BarChart(title, Label.direction(figure), story.title() + ": " + title, groups);
  }

  private static BarChart.Group group(CellResults cell, Figure figure) {
    return new BarChart.Group(
        cell.info().name() + ": " + cell.info().label(),
        Ranked.of(cell, figure).stream().map(each -> bar(each, figure)).toList());
  }

  private static BarChart.Bar bar(Ranked ranked, Figure figure) {
    String client = ranked.of().client();
    Estimate estimate = ranked.estimate();
    if (estimate == null) {
      return new BarChart.Bar(client, 0, 0, 0, "no run counts");
    }
    return new BarChart.Bar(
        client,
        estimate.interval().low(),
        estimate.median(),
        estimate.interval().high(),
        Label.of(figure).unit().show(estimate.median()));
  }
}
