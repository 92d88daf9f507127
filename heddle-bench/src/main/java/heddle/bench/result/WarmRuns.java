package heddle.bench.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Chooses the runs of a client in a cell that were warm enough to be compared. */
final class WarmRuns {

  /** The most that compilers may take of the CPU time of all chosen runs, on average. */
  private static final double MOST = 0.1;

  /** The most that they may take in any of them. */
  private static final double MOST_OF_ONE = 0.3;

  private WarmRuns() {}

  /**
   * As many of the valid runs as possible, the warmest first, so that compilers took at most a
   * tenth of the CPU time on average. A single compilation can take more than that of a short run
   * of a client that needs little CPU time, and such a run may be as warm as the others.
   *
   * @param runs of equal length
   */
  static List<Run> of(List<Run> runs) {
    List<Run> warmestFirst = runs.stream()
        .filter(run -> !run.isInvalid())
        .sorted(Comparator.comparingDouble(WarmRuns::compiling))
        .toList();
    List<Run> chosen = new ArrayList<>();
    double sum = 0;
    for (Run each : warmestFirst) {
      double share = compiling(each);
      sum += share;
      if (share > MOST_OF_ONE || sum > MOST * (chosen.size() + 1)) {
        break;
      }
      chosen.add(each);
    }
    return chosen;
  }

  /** The share of the compilers; 0 in a program without any. */
  private static double compiling(Run run) {
    Double share = run.figures().of(Figure.COMPILING);
    return share == null ? 0 : share;
  }
}
