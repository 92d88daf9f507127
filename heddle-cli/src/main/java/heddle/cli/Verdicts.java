package heddle.cli;

import heddle.bench.compare.RaceGoals;
import heddle.bench.compare.RaceGoals.Reached;
import heddle.bench.result.RaceResult;
import heddle.load.goal.Slo;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;

/** The exit codes of a race and of a load. */
final class Verdicts {

  /** The figures are not to be trusted. */
  static final int INVALID = 98;

  /** A goal was missed. */
  static final int MISSED = 99;

  private Verdicts() {}

  /**
   * Returns the exit code and prints the reason. Figures that are not to be trusted neither meet
   * nor miss a goal; without goals, the report alone tells the doubts.
   *
   * @throws IOException if the race has no results; the message says why
   */
  static int of(RaceResult result, List<Slo> goals, PrintStream err) throws IOException {
    if (result.results().isEmpty()) {
      throw new IOException(
          result.isPartial() && result.failures().isEmpty()
              ? "the race was stopped before any client was measured"
              : "no client could be measured; " + String.join("; ", result.failures()));
    }
    boolean isMissed = false;
    for (Reached each : RaceGoals.check(goals, result)) {
      err.println(each);
      isMissed |= !each.verdict().isMet();
    }
    List<String> doubts = goals.isEmpty() ? List.of() : result.doubts();
    for (String doubt : doubts) {
      err.println("not to be trusted: " + doubt);
    }
    if (!doubts.isEmpty()) {
      return INVALID;
    }
    return isMissed ? MISSED : CommandLine.ExitCode.OK;
  }
}
