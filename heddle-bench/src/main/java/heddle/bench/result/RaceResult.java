package heddle.bench.result;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a race found.
 *
 * @param environment where and how it ran
 * @param results one for each cell and client, in the order of the cells
 * @param failures runs that gave no figures or whose requests failed in part, each with its cause
 * @param omissions clients that were left out of a cell, each with the reason
 * @param story which named experiment it was; null where cells were raced by themselves
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

  /** Of cells that were raced by themselves, to the end. */
  public RaceResult(
      Environment environment,
      List<Measurement> results,
      List<String> failures,
      List<String> omissions) {
    this(environment, results, failures, omissions, null, false);
  }

  /**
   * What served a cell and told no count of the requests that it had had, so that nobody's count is
   * held against another; null where the server counted.
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
   * Why the race as a whole is not to be trusted: clients of which no run counts, and a machine
   * that was disturbed in more than half of the runs. Empty where it is.
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
        disturbed += run.soundness() instanceof Soundness.Valid ? 0 : 1;
      }
    }
    if (2 * disturbed > runs) {
      doubts.add(disturbed + " of " + runs + " runs were disturbed by the machine");
    }
    return doubts;
  }
}
