package heddle.bench.result;

import java.util.List;

/**
 * What a race found.
 *
 * @param environment where and how it ran
 * @param results one for each cell and client, in the order of the cells; medians over the rounds
 */
public record RaceResult(Environment environment, List<Measurement> results) {

  /** Keeps a copy of the list. */
  public RaceResult {
    results = List.copyOf(results);
  }
}
