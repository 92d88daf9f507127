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
 * Works out rates that depend on what clients have reached in another cell. Once known they stay,
 * so that all clients and all rounds have the same. Used by one thread.
 */
final class SharedRates {

  private final Map<String, Cell> known = new HashMap<>();

  /**
   * The entry with the rate that its cell has come to.
   *
   * @throws IOException when nobody has figures in the cell that it depends on
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
      throw new IOException("its rate is " + share + ", where nobody has reached any");
    }
    return Math.max(1, Math.floor(share.part() * slowest.getAsDouble()));
  }

  /** Of runs that do not count too: a generator that fell behind has found out what is reached. */
  private static double best(List<Run> runs) {
    return runs.stream()
        .mapToDouble(run -> run.figures().requestsPerSecond())
        .max()
        .orElse(0);
  }
}
