package heddle.cli;

import heddle.bench.compare.CompareReport;
import heddle.bench.compare.Comparison;
import heddle.bench.report.JsonReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two races. */
@Command(
    name = "compare",
    description = "Compare two results of heddle race, figure by figure, with an interval and a"
        + " verdict for each.",
    sortOptions = false,
    footer = {
      "",
      "Ratios are the second race's median to the first one's, over",
      "their rounds. A verdict needs three or more rounds in both."
    })
final class CompareCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "A.json", description = "Written by heddle race --json.")
  private Path before = Path.of("");

  @Parameters(index = "1", paramLabel = "B.json", description = "The result of a later race.")
  private Path after = Path.of("");

  @Option(names = "--all", description = "Show every figure rather than the most important ones.")
  private boolean all;

  private final Terminal terminal;

  CompareCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    Comparison comparison = new Comparison(JsonReport.read(before), JsonReport.read(after));
    terminal.print(CompareReport.render(comparison, all));
    return CommandLine.ExitCode.OK;
  }
}
