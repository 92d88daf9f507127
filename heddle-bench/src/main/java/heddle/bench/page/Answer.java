package heddle.bench.page;

import heddle.bench.result.Costs;
import heddle.bench.result.Figure;
import heddle.bench.result.RaceResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a race of cells says at the top of its page.
 *
 * @param sentence what the client's requests cost
 * @param undecided one line for each client without a verdict
 * @param rankings the clients of each cell by what a request costs
 */
record Answer(String sentence, List<String> undecided, List<Ranking> rankings) {

  /** The answer; null if the race is an experiment, or has no closed load with the baseline. */
  static @Nullable Answer of(RaceResult result, List<CellResults> cells, Palette palette) {
    Costs costs = Costs.of(result);
    if (result.story() != null || costs.cells().isEmpty()) {
      return null;
    }
    List<Ranking> rankings = new ArrayList<>();
    for (Costs.OfCell each : costs.cells()) {
      cells.stream()
          .filter(cell -> cell.info().equals(each.cell()))
          .map(cell -> Ranking.of(cell, Figure.CPU, palette).titled(each.cell().label()))
          .forEach(rankings::add);
    }
    return new Answer(costs.sentence(), costs.undecided(), rankings);
  }

  boolean hasUndecided() {
    return !undecided.isEmpty();
  }
}
