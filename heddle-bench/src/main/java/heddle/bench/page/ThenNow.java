package heddle.bench.page;

import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Published figures of an experiment, next to those of this race.
 *
 * @param scale the share of the published size at which the race ran
 * @param then the published ones
 * @param now those of this race
 */
record ThenNow(String scale, Table then, Table now) {

  /** The figures that were published for these experiments, or the closest ones. */
  private static final Set<Figure> SHOWN = Set.of(
      Figure.RATE,
      Figure.MEAN,
      Figure.P99,
      Figure.MAX,
      Figure.HELD_MOST,
      Figure.HELD_SECONDS,
      Figure.HAND_OVER_RATE,
      Figure.PEAK_HEAP,
      Figure.MEAN_HEAP,
      Figure.THREADS,
      Figure.SERVER_PEAK,
      Figure.SERVER_PEAK_HEAP,
      Figure.SERVER_THREADS);

  /** The tables; null if nothing was published. */
  static @Nullable ThenNow of(RaceResult result) {
    Story story = result.story();
    if (story == null || story.then().isEmpty()) {
      return null;
    }
    List<Table.Row> then = story.then().stream()
        .map(each -> Table.plain(each.who(), each.what(), each.value()))
        .toList();
    List<Figure> figures = Arrays.stream(Figure.values())
        .filter(SHOWN::contains)
        .filter(figure -> result.results().stream().anyMatch(each -> each.of(figure) != null))
        .toList();
    List<String> head = new ArrayList<>(List.of("client", "cell"));
    figures.forEach(each -> head.add(Label.of(each).title()));
    List<Table.Row> now = result.results().stream()
        .filter(each -> !each.client().equals(result.environment().design().control()))
        .map(each -> row(each, figures))
        .toList();
    return new ThenNow(
        String.valueOf(story.scale()),
        new Table(List.of("who", "what", "published"), then),
        new Table(head, now));
  }

  private static Table.Row row(Measurement measurement, List<Figure> figures) {
    List<String> fields = new ArrayList<>(List.of(measurement.cell().name()));
    for (Figure figure : figures) {
      Double value = measurement.of(figure);
      fields.add(value == null ? "–" : Label.of(figure).unit().show(value));
    }
    return Table.ofClient(measurement.client(), fields);
  }
}
