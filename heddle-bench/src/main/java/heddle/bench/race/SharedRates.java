package heddle.bench.race;

import heddle.bench.experiment.Cell;
import heddle.bench.experiment.Share;
import heddle.bench.result.Run;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Computes rates that depend on the results of another cell. A rate is computed once, so that all
 * clients and rounds have the same. Used by one thread.
 */
final class SharedRates {

  private final Map<String, Cell> known = new HashMap<>();

  /**
   * Returns the entry with the computed rate of its cell.
   *
   * @throws IOException if no client has figures in the cell that it depends on
   */
  Entry at(Entry entry, Map<Entry, List<Run>> figures) throws IOException {
    Share share = entry.cell().share();
    if (share == null) {
      return entry;
    }
    Cell cell = known.get(entry.cell().label());
    if (cell == null) {
      cell = entry.cell().atRate(rate(share, figures));
      known.put(cell.label(), cell);
    }
    return new Entry(entry.contender(), cell, entry.server());
  }

  private static double rate(Share share, Map<Entry, List<Run>> figures) throws IOException {
    OptionalDouble slowest = figures.entrySet().stream()
        .filter(each -> each.getKey().cell().label().equals(share.cell()))
        .mapToDouble(each -> best(each.getValue()))
        .filter(rate -> rate > 0)
        .min();
    if (slowest.isEmpty()) {
      throw new IOException("its rate is " + share + ", but no client has a rate there");
    }
    return Math.max(1, Math.floor(share.part() * slowest.getAsDouble()));
  }

  /** Includes invalid runs: if the generator fell behind, that shows the reachable rate. */
  private static double best(List<Run> runs) {
    return runs.stream()
        .mapToDouble(run -> run.figures().requestsPerSecond())
        .max()
        .orElse(0);
  }
}
