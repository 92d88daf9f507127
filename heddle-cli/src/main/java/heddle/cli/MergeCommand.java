package heddle.cli;

import heddle.load.cluster.merge.LoadJson;
import heddle.load.cluster.merge.LoadResult;
import heddle.load.cluster.merge.LogMerge;
import heddle.load.cluster.merge.Merge;
import heddle.load.goal.LoadFigures;
import heddle.load.goal.Slo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Adds the results of the segments of a load. */
@Command(
    name = "merge",
    description = "Add the results of the segments of one load, without loss.",
    sortOptions = false,
    footer = {
      "",
      "Files are results of heddle load --json, interval logs of --hdr, and what",
      "kubectl logs prints for the pods of heddle k8s, one or more pods per file.",
      "Exit codes are those of heddle load."
    })
final class MergeCommand implements Callable<Integer> {

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Results and interval logs.")
  private List<Path> files = List.of();

  @Option(
      names = "--partial",
      description = "Merge even if segments are missing; the result says which.")
  private boolean partial;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the sum as JSON too; - to" + " standard output.")
  private @Nullable Path json;

  @Option(names = "--csv", paramLabel = "FILE", description = "Also write the figures as CSV.")
  private @Nullable Path csv;

  @Option(names = "--hdr", paramLabel = "FILE", description = "Write the sum of the interval logs.")
  private @Nullable Path hdr;

  @Option(
      names = "--slo",
      paramLabel = "GOAL",
      description = "A goal such as p99<50ms; may be repeated.")
  private List<String> goals = List.of();

  private final Terminal terminal;

  MergeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    List<Slo> slos = slos();
    List<LoadResult> results = new ArrayList<>();
    LogMerge logs = new LogMerge();
    boolean areLogsGiven = false;
    for (Path file : files) {
      if (LogMerge.isLog(file)) {
        logs.add(file);
        areLogsGiven = true;
      } else if (logs.addThoseIn(file) > 0) {
        results.addAll(LoadJson.find(file));
      } else {
        results.addAll(LoadJson.read(file));
      }
    }
    check(results, areLogsGiven, logs, slos);
    write(logs);
    if (results.isEmpty()) {
      terminal.print(summary(logs));
      return CommandLine.ExitCode.OK;
    }
    return report(Merge.of(results, partial), slos);
  }

  private List<Slo> slos() {
    try {
      List<Slo> slos = goals.stream().map(Slo::parse).toList();
      LoadFigures.require(slos);
      return slos;
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private void check(
      List<LoadResult> results, boolean areLogsGiven, LogMerge logs, List<Slo> slos) {
    if (areLogsGiven && hdr == null && !results.isEmpty()) {
      throw wrong("say where the sum of the interval logs goes: --hdr FILE");
    }
    if (logs.logs() == 0 && hdr != null) {
      throw wrong("--hdr writes the sum of interval logs: give those that heddle load --hdr wrote");
    }
    if (results.isEmpty() && (json != null || csv != null || !slos.isEmpty())) {
      throw wrong("--json, --csv and --slo need results: give those that heddle load --json wrote");
    }
  }

  private CommandLine.ParameterException wrong(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  private void write(LogMerge logs) throws IOException {
    if (hdr != null) {
      try (OutputFile file = OutputFile.open(hdr)) {
        logs.write(file.stream());
        file.complete();
      }
    }
  }

  private static String summary(LogMerge logs) {
    StringBuilder text = new StringBuilder();
    logs.latencies()
        .forEach((tag, latency) -> text.append(String.format(
            Locale.ROOT,
            "%s: %,d, milliseconds: p50 %.3f  p99 %.3f  p99.9 %.3f  max %.3f%n",
            tag.isEmpty() ? "without a tag" : tag,
            logs.count(tag),
            latency.p50() / 1e3,
            latency.p99() / 1e3,
            latency.p999() / 1e3,
            latency.max() / 1e3)));
    return text.toString();
  }

  private int report(LoadResult merged, List<Slo> slos) throws IOException {
    try (LoadFiles written = LoadFiles.open(terminal, json, csv, null)) {
      return LoadCommand.finish(written, merged, slos, false);
    }
  }
}
