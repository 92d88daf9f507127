package heddle.bench.result;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a race.
 *
 * @param environment where and how it ran
 * @param results one measurement per cell and client, in the order of the cells
 * @param failures runs that gave no figures or whose requests failed in part, each with its cause
 * @param omissions clients that were left out of a cell, each with the reason
 * @param story the story of a named experiment; null for a race of cells
 * @param isPartial whether it was stopped before its end
 */
public record RaceResult(
    Environment environment,
    List<Measurement> results,
    List<String> failures,
    List<String> omissions,
    @Nullable Story story,
    boolean isPartial) {

  /** Keeps copies of the lists. */
  public RaceResult {
    results = List.copyOf(results);
    failures = List.copyOf(failures);
    omissions = List.copyOf(omissions);
  }

  /** Creates the complete result of a race of cells. */
  public RaceResult(
      Environment environment,
      List<Measurement> results,
      List<String> failures,
      List<String> omissions) {
    this(environment, results, failures, omissions, null, false);
  }

  /**
   * The server of a cell if it does not count requests, so that the client's count cannot be
   * verified; null if the server counted.
   */
  public @Nullable String uncounted(CellInfo cell) {
    boolean isCounted = results.stream()
        .filter(each -> each.cell().equals(cell))
        .flatMap(each -> each.runs().stream())
        .anyMatch(run -> run.figures().of(Figure.SERVER_REQUESTS) != null);
    return isCounted
        ? null
        : environment.servers().getOrDefault(cell.group(), "the server does not tell one");
  }

  /**
   * Why the race as a whole is not to be trusted: clients without a valid run, and a machine that
   * was disturbed in more than half of the runs. Empty if it is sound.
   */
  public List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    int runs = 0;
    int disturbed = 0;
    for (Measurement each : results) {
      if (each.soundness() instanceof Soundness.Invalid(List<String> reasons)) {
        doubts.add(each.client() + " in " + each.cell().name() + ": " + String.join("; ", reasons));
      }
      for (Run run : each.runs()) {
        runs++;
        disturbed += run.soundness() instanceof Soundness.Noisy ? 1 : 0;
      }
    }
    if (2 * disturbed > runs) {
      doubts.add(disturbed + " of " + runs + " runs were disturbed by the machine");
    }
    return doubts;
  }
}
