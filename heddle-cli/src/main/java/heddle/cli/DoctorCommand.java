package heddle.cli;

import heddle.cli.machine.Finding;
import heddle.cli.machine.FindingText;
import heddle.cli.machine.MachineChecks;
import heddle.cli.machine.Readings;
import heddle.load.cluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks the limits of this machine, and says what to change. */
@Command(
    name = "doctor",
    description =
        "Check what this machine allows a load, a race or a server, and say what to" + " change.",
    sortOptions = false,
    footer = {
      "",
      "Each check is ok, a warning (it works, but not at full size or speed) or a",
      "problem. It changes nothing. heddle load and heddle race check what they need",
      "themselves before they begin.",
      "Exit codes: 0, or 1 if there is a problem."
    })
final class DoctorCommand implements Callable<Integer> {

  private static final Path STANDARD_OUTPUT = Path.of("-");

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the findings as JSON too; - to standard output in place of the text.")
  private @Nullable Path json;

  private final Terminal terminal;

  DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    List<Finding> findings = new MachineChecks(Readings.watched()).all();
    String document = Json.pretty(FindingText.asDocument(findings));
    if (STANDARD_OUTPUT.equals(json)) {
      terminal.print(document);
    } else {
      if (json != null) {
        try (OutputFile output = OutputFile.open(json)) {
          output.stream().write(document.getBytes(StandardCharsets.UTF_8));
          output.complete();
        }
      }
      terminal.print(FindingText.render(findings));
    }
    boolean isFailed = findings.stream().anyMatch(each -> each.status() == Finding.Status.PROBLEM);
    return isFailed ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
  }
}
