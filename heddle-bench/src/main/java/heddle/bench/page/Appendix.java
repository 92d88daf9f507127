package heddle.bench.page;

import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How the race was measured, and how to repeat it.
 *
 * @param machine the machine that it ran on
 * @param plan the options of the race
 * @param versions versions of the clients; without rows if none is known
 * @param command the command that repeats it
 * @param method the meaning of the terms and symbols of the page
 */
record Appendix(Table machine, Table plan, Table versions, String command, List<String> method) {

  private static final List<String> METHOD = List.of(
      "A ratio is the median, over the rounds, of a client's figure divided by the baseline's in"
          + " the same round. A disturbance of a round affects both, and cancels out.",
      "Its interval is the exact one between two order statistics below 20 rounds, and a bootstrap"
          + " over the rounds from there on. It assumes nothing of how figures are distributed.",
      "The control is the baseline raced against itself. How far the interval of that ratio reaches"
          + " from 1 is what the machine does not tell apart: the band in the plots.",
      "A verdict needs the whole interval beyond that band. Within it there is no difference;"
          + " anything else is too noisy to say.",
      "A run is invalid, and in no median, if the server's count contradicts the client's, if"
          + " the generator fell behind, or if the machine was busy with something else for half"
          + " of the time; it is noisy beyond a tenth.",
      "Figures for each request are for each successful answer. What could not be measured is"
          + " missing, never 0.");

  static Appendix of(RaceResult result) {
    Environment environment = result.environment();
    return new Appendix(
        machine(environment), plan(environment), versions(environment), command(result), METHOD);
  }

  private static Table machine(Environment environment) {
    List<Table.Row> rows = new ArrayList<>();
    row(rows, "Processor", environment.cpu());
    row(rows, "Cores", String.valueOf(environment.cores()));
    row(rows, "Server on core", environment.serverCores());
    row(rows, "Clients on core", environment.clientCores());
    if (environment.clientCores().isEmpty()) {
      row(rows, "Pinned", "nothing: server and clients share all cores");
    }
    row(rows, "System", environment.os());
    row(rows, "JVM", environment.jdk());
    row(rows, "Options of the JVMs", String.join(" ", environment.jvmFlags()));
    environment.servers().forEach((group, server) -> row(rows, "Server of " + group, server));
    return new Table(List.of("machine", ""), rows);
  }

  private static Table plan(Environment environment) {
    Design design = environment.design();
    List<Table.Row> rows = new ArrayList<>();
    row(rows, "Begun", environment.date());
    row(rows, "Took", took(environment.wallSeconds()));
    row(rows, "Method", design.method().description());
    row(rows, "Rounds", String.valueOf(design.rounds()));
    row(rows, "Seed of the order", String.valueOf(design.seed()));
    row(rows, "Baseline", design.baseline());
    row(rows, "Control", design.hasControl() ? design.control() : "none");
    row(rows, "Clients are", design.profile());
    return new Table(List.of("plan", ""), rows);
  }

  /** Such as {@code 3 min 20 s}. */
  static String took(double seconds) {
    Duration whole = Duration.ofSeconds(Math.round(seconds));
    return whole.toMinutes() == 0
        ? whole.toSeconds() + " s"
        : whole.toMinutes() + " min " + whole.toSecondsPart() + " s";
  }

  private static Table versions(Environment environment) {
    List<Table.Row> rows = new ArrayList<>();
    environment
        .versions()
        .forEach((client, version) -> rows.add(Table.ofClient(client, List.of(version))));
    return new Table(List.of("client", "version"), rows);
  }

  /** The command with options for the same race. */
  private static String command(RaceResult result) {
    Design design = result.environment().design();
    String cells = result.results().stream()
        .map(each -> each.cell().name())
        .distinct()
        .collect(Collectors.joining(","));
    String clients = result.results().stream()
        .map(Measurement::client)
        .filter(each -> !each.equals(design.control()))
        .distinct()
        .collect(Collectors.joining(","));
    Story story = result.story();
    String repeated = " --rounds " + design.rounds() + " --seed " + design.seed();
    return story == null
        ? "./heddle race --cells " + cells + " --clients " + clients + " --method "
            + design.method().label() + repeated + " --baseline " + design.baseline()
            + (design.hasControl() ? " --control" : " --no-control") + " --profile "
            + design.profile()
        : "./heddle race " + story.name() + " --scale " + story.scale() + repeated;
  }

  private static void row(List<Table.Row> rows, String name, String value) {
    if (!value.isEmpty()) {
      rows.add(Table.plain(name, value));
    }
  }

  boolean hasVersions() {
    return !versions.rows().isEmpty();
  }
}
