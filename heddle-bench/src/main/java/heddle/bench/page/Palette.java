package heddle.bench.page;

import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import java.util.List;

/**
 * The colours of the clients: each keeps its own in every bar and chart of a page. Heddle's clients
 * share one.
 *
 * @param others the clients that are not Heddle's, in the order of the race
 */
record Palette(List<String> others) {

  /** How many colours the style sheet has. */
  private static final int COLOURS = 8;

  static Palette of(RaceResult result) {
    return new Palette(result.results().stream()
        .map(Measurement::client)
        .filter(client -> !CellResults.isOurs(client))
        .distinct()
        .toList());
  }

  /** The place of a client among those that are not Heddle's, from 0. */
  int index(String client) {
    return others.indexOf(client);
  }

  /** The name of the colour in the style sheet. */
  String colour(String client) {
    return CellResults.isOurs(client) ? "ours" : "s" + (1 + index(client) % COLOURS);
  }
}
