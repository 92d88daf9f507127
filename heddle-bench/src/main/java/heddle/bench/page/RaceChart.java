package heddle.bench.page;

import heddle.bench.result.Environment;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import org.jspecify.annotations.Nullable;

/** The answer of a race as one image of SVG, for documents. */
public final class RaceChart {

  private RaceChart() {}

  /** Renders the image; null if the race has nothing that it could show. Thread-safe. */
  public static @Nullable String render(RaceResult result) {
    Story story = result.story();
    BarChart chart = story == null ? CostChart.of(result) : FigureChart.of(result, story);
    Environment environment = result.environment();
    return chart == null
        ? null
        : chart.render(RacePage.place(environment) + " · " + environment.date());
  }
}
