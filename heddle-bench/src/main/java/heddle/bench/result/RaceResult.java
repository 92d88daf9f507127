package heddle.bench.result;

import java.util.List;

/**
 * What a race found.
 *
 * @param environment where and how it ran
 * @param results one for each cell and client, in the order of the cells; medians over the rounds
 * @param failures runs that gave no figures or whose requests failed in part, each with its cause
 * @param omissions clients that were left out of a cell, each with the reason
 */
public record RaceResult(
    Environment environment,
    List<Measurement> results,
    List<String> failures,
    List<String> omissions) {

  /** Keeps copies of the lists. */
  public RaceResult {
    results = List.copyOf(results);
    failures = List.copyOf(failures);
    omissions = List.copyOf(omissions);
  }
}
