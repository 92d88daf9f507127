package heddle.cli;

import heddle.bench.compare.RaceGoals;
import heddle.bench.driver.Profile;
import heddle.bench.race.Race;
import heddle.bench.race.RaceListener;
import heddle.bench.race.RaceOptions;
import heddle.bench.race.RaceOutputs;
import heddle.bench.race.RacePlan;
import heddle.bench.report.TableReport;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.server.Http2Server;
import heddle.bench.slo.Slo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
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

/** Runs clients against each other under the same load. */
@Command(
    name = "race",
    description = "Race Heddle and other clients under the same load, each in a JVM of its own.",
    sortOptions = false,
    footer = {
      "",
      "Without options: eight clients in the cells that tell most, in under four",
      "minutes. Where nghttpd is installed it answers over HTTP/2.",
      "",
      "Exit codes: 99 when a goal of --slo was missed, 98 when there are goals and the",
      "figures are not to be trusted, such as on a machine that was disturbed."
    })
final class RaceCommand implements Callable<Integer> {

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "CELL",
      arity = "0..*",
      description = "What to race, such as h1-64, all that begins alike, such as get-1m or"
          + " slow-reader, or all (default: some of each kind).")
  private List<String> named = List.of();

  @Option(
      names = "--cells",
      paramLabel = "CELL",
      split = ",",
      description = "The same as a list: h1-64,h1-512.")
  private List<String> cells = List.of();

  @Option(
      names = "--clients",
      paramLabel = "CLIENT",
      split = ",",
      description =
          "Who races, such as heddle,jdk,okhttp, or all (default: eight that are known" + " best).")
  private List<String> clients = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each client is measured in each cell (default 1).")
  private @Nullable Integer rounds;

  @Option(
      names = "--method",
      paramLabel = "warm|fresh",
      description = "A JVM for each client, or for each run of it (default warm).")
  private @Nullable Method method;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the order of the runs (default 1); the result says it.")
  private @Nullable Long seed;

  @Option(
      names = "--baseline",
      paramLabel = "CLIENT",
      description = "To whom the others are compared (default heddle).")
  private @Nullable String baseline;

  @Option(
      names = "--control",
      negatable = true,
      description = "Race the baseline against itself too, which shows what this machine can tell"
          + " apart (default from three rounds on).")
  private @Nullable Boolean control;

  @Option(
      names = "--scale",
      paramLabel = "SHARE",
      description = "Share of the published size; 1 is all of it (default: what fits the time).")
  private @Nullable Double scale;

  @Option(
      names = "--profile",
      paramLabel = "tuned|defaults",
      description = "Clients with limits raised to the load, or as they come (default tuned).")
  private @Nullable Profile profile;

  @Option(
      names = "--h2-server",
      paramLabel = "auto|heddle|nghttpd",
      description = "What answers over HTTP/2 (default auto: nghttpd where it is installed).")
  private @Nullable Http2Server http2Server;

  @Option(
      names = "--slo",
      paramLabel = "GOAL",
      description = "What must be reached, in each cell that both have run, such as"
          + " 'ratio(heddle/okhttp,cpu)<0.5'; may be repeated.")
  private List<String> slos = List.of();

  @Option(names = "--json", paramLabel = "FILE", description = "Default: race.json.")
  private @Nullable Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Default: race.html.")
  private @Nullable Path html;

  @Option(names = "--csv", paramLabel = "FILE", description = "A row for each run (default none).")
  private @Nullable Path csv;

  private final Terminal terminal;

  RaceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    RaceOptions options = options();
    List<Slo> goals = goals();
    RaceResult result;
    try {
      result = new Race(options).run(new Narrator(terminal));
    } finally {
      terminal.endLive();
    }
    terminal.out().write(TableReport.render(result).getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
    terminal.err().println("JSON  " + options.outputs().json().toAbsolutePath());
    terminal.err().println("HTML  " + options.outputs().html().toAbsolutePath());
    if (result.results().isEmpty()) {
      throw new IOException("no client could be measured; " + String.join("; ", result.failures()));
    }
    return Verdicts.exitCode(result, goals, terminal.err());
  }

  RaceOptions options() {
    var allCells = new ArrayList<>(named);
    allCells.addAll(cells);
    try {
      RaceOptions options = RaceOptions.defaults(home())
          .withClients(clients)
          .withCells(allCells)
          .withPlan(plan())
          .withOutputs(outputs())
          .withScale(scale);
      Profile setUp = profile;
      options = setUp == null ? options : options.withProfile(setUp);
      Http2Server answering = http2Server;
      return answering == null ? options : options.withHttp2Server(answering);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private List<Slo> goals() {
    try {
      List<Slo> goals = slos.stream().map(Slo::parse).toList();
      RaceGoals.require(goals);
      for (String client : RaceGoals.clients(goals)) {
        if (!clients.isEmpty() && !clients.contains(client)) {
          throw new IllegalArgumentException("the client " + client
              + " has a goal and does not race: --clients " + String.join(",", clients));
        }
      }
      return goals;
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private RacePlan plan() {
    RacePlan plan = RacePlan.DEFAULT;
    Integer number = rounds;
    plan = number == null ? plan : plan.withRounds(number);
    Method how = method;
    plan = how == null ? plan : plan.withMethod(how);
    Long drawn = seed;
    plan = drawn == null ? plan : plan.withSeed(drawn);
    String first = baseline;
    plan = first == null ? plan : plan.withBaseline(first);
    Boolean wanted = control;
    return wanted == null ? plan : plan.withControl(wanted);
  }

  private RaceOutputs outputs() {
    RaceOutputs usual = RaceOutputs.DEFAULT;
    Path jsonFile = json;
    Path htmlFile = html;
    return new RaceOutputs(
        jsonFile == null ? usual.json() : jsonFile,
        htmlFile == null ? usual.html() : htmlFile,
        csv);
  }

  private Path home() {
    String home = System.getProperty("heddle.home");
    if (home == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "the race needs the checkout that it was built in: run it with ./heddle race");
    }
    return Path.of(home);
  }

  /** A live line for a person; for a log, a line for each run that begins. */
  private static final class Narrator implements RaceListener {
    private final Terminal terminal;
    private String last = "";

    Narrator(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public void progress(Progress progress) {
      String line = "[%d/%d] %s, about %s left"
          .formatted(
              progress.done(), progress.total(), progress.doing(), readable(progress.left()));
      terminal.live(line);
      if (!terminal.interactive() && !progress.doing().equals(last)) {
        last = progress.doing();
        terminal.err().println(line);
      }
    }

    private static String readable(Duration left) {
      return left.toMinutes() > 0
          ? "%d min %02d s".formatted(left.toMinutes(), left.toSecondsPart())
          : left.toSeconds() + " s";
    }
  }
}
