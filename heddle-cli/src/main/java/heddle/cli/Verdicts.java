package heddle.cli;

import heddle.bench.result.RaceResult;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;

/** What a race says to a script. */
final class Verdicts {

  /** The surroundings were such that no figure is to be trusted. */
  static final int INVALID = 98;

  private Verdicts() {}

  /** The exit code, and why it is that. */
  static int exitCode(RaceResult result, PrintStream err) {
    List<String> doubts = result.doubts();
    for (String doubt : doubts) {
      err.println("not to be trusted: " + doubt);
    }
    return doubts.isEmpty() ? CommandLine.ExitCode.OK : INVALID;
  }
}
