package heddle.cli;

import heddle.cli.value.StartTime;
import heddle.load.cluster.kubernetes.LoadJob;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a Kubernetes job that makes a load over many pods. */
@Command(
    name = "k8s",
    description = "Print a Kubernetes Indexed Job that makes a load over many pods.",
    sortOptions = false,
    footer = {
      "",
      "The options after -- describe the whole load, as for heddle load; each pod makes its",
      "share of it. Nothing is sent to a cluster: the comments in the output say",
      "how to apply it, and how to merge the results of the pods.",
      "",
      "  heddle k8s --pods 8 --image registry.example/heddle:1 -- \\",
      "    http://service:8080/hello -r 20000 -c 512 -d 60s >load.yaml"
    })
final class K8sCommand implements Callable<Integer> {

  private static final Duration LEAD = Duration.ofMinutes(3);

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Option(names = "--pods", paramLabel = "N", required = true, description = "The number of pods.")
  private int pods;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      required = true,
      description = "An image whose entry point is heddle, such as that of heddle-cli/image.")
  private String image = "";

  @Option(
      names = "--command",
      paramLabel = "NAME",
      description = "The command in the image (default: its entry point).")
  private @Nullable String command;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "heddle-load",
      description = "The name of the job (default heddle-load).")
  private String name = "heddle-load";

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "The namespace (default: that of kubectl).")
  private @Nullable String namespace;

  @Option(
      names = "--cpu",
      paramLabel = "CPU",
      defaultValue = "1",
      description = "Request and limit per pod, such as 2 or 500m (default 1).")
  private String cpu = "1";

  @Option(
      names = "--memory",
      paramLabel = "MEMORY",
      defaultValue = "512Mi",
      description = "Request and limit per pod, such as 2Gi (default 512Mi).")
  private String memory = "512Mi";

  @Option(
      names = "--start-at",
      paramLabel = "TIME",
      converter = StartTime.class,
      description = "When all begin, after pulling their images: a time, or from now on (+3m).")
  private @Nullable Instant startAt;

  @Option(
      names = "--hdr",
      description = "Each pod also prints an interval log, a line per second; for loads of a few"
          + " minutes, because nodes limit the output that they keep per pod.")
  private boolean isLogged;

  @Parameters(paramLabel = "LOAD", arity = "0..*", description = "The arguments of heddle load.")
  private List<String> load = List.of();

  private final Terminal terminal;

  K8sCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    LoadJob job;
    try {
      job = new LoadJob(
          name, namespace, image, command, pods, cpu, memory, begin(), checked(load), isLogged);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    terminal.print(job.toYaml());
    return CommandLine.ExitCode.OK;
  }

  private Instant begin() {
    Instant now = Instant.now();
    if (startAt == null) {
      return now.plus(LEAD).truncatedTo(ChronoUnit.SECONDS);
    }
    StartTime.requireToCome(startAt, now);
    return startAt.truncatedTo(ChronoUnit.MILLIS);
  }

  private CommandLine.ParameterException wrong(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  /** Checks the options of the pods here, rather than in all pods at once. */
  private List<String> checked(List<String> options) throws IOException {
    LoadCommand command = new LoadCommand(terminal);
    List<String> tried = new ArrayList<>(options);
    tried.add("--segment");
    tried.add(pods + "/" + pods);
    try {
      CommandLine.ParseResult parsed = new CommandLine(command)
          .setExpandAtFiles(false)
          .setCaseInsensitiveEnumValuesAllowed(true)
          .parseArgs(tried.toArray(String[]::new));
      refuseOwn(parsed);
      command.requireSound();
    } catch (CommandLine.ParameterException e) {
      throw wrong("after --: " + e.getMessage());
    }
    return options;
  }

  private void refuseOwn(CommandLine.ParseResult parsed) {
    for (String option :
        List.of("--json", "--csv", "--hdr", "--cacert", "--cert", "--key", "--replay")) {
      if (parsed.hasMatchedOption(option)) {
        throw wrong("after --: " + option + " names a file, but a pod has no files from here");
      }
    }
    for (String option : List.of("--start-at", "--slo", "--calibrate")) {
      if (parsed.hasMatchedOption(option)) {
        throw wrong("after --: " + option + " is not for a pod: "
            + switch (option) {
              case "--start-at" -> "give it before --";
              case "--slo" -> "give it to heddle merge";
              default -> "run it on a machine";
            });
      }
    }
    String body = parsed.matchedOptionValue("--body", "");
    if (body.startsWith("@")) {
      throw wrong("after --: -b @FILE names a file, but a pod has no files from here: give the"
          + " content itself");
    }
  }
}
