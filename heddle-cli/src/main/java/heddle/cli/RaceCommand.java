package heddle.cli;

import heddle.bench.compare.BuildComparison;
import heddle.bench.compare.RaceGoals;
import heddle.bench.driver.Profile;
import heddle.bench.experiment.Experiment;
import heddle.bench.experiment.ExperimentException;
import heddle.bench.experiment.ExperimentList;
import heddle.bench.experiment.Experiments;
import heddle.bench.experiment.Target;
import heddle.bench.race.OtherBuild;
import heddle.bench.race.Race;
import heddle.bench.race.RaceException;
import heddle.bench.race.RaceOptions;
import heddle.bench.race.RaceOutputs;
import heddle.bench.race.RacePlan;
import heddle.bench.race.ReportFolder;
import heddle.bench.race.UnknownNameException;
import heddle.bench.report.Scoreboard;
import heddle.bench.report.TableReport;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import heddle.bench.server.Http2Server;
import heddle.cli.live.LiveOptions;
import heddle.cli.machine.MachineChecks;
import heddle.cli.machine.Need;
import heddle.cli.machine.Readings;
import heddle.cli.otlp.OtlpOptions;
import heddle.cli.otlp.OtlpSettings;
import heddle.cli.otlp.RaceExport;
import heddle.cli.value.SpanConverter;
import heddle.load.goal.Slo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs clients against each other under the same load. */
@Command(
    name = "race",
    description = "Race Heddle and other clients under the same load, each in its own JVM;"
        + " or, with --against, this build of Heddle and another one.",
    sortOptions = false,
    footer = {
      "",
      "Without options: what does a request cost with your present client? Six clients, and",
      "wrk and h2load if installed, over HTTP/1.1 and over HTTP/2 with TLS, in four minutes:",
      "each is warmed up, then runs in five rounds or more until the difference is clear. If",
      "nghttpd is installed, it is the server for HTTP/2. Other cells and clients take 15 s",
      "for each client and cell. Experiments define their clients, rounds and times; options",
      "override them.",
      "",
      "--against DIR builds the Heddle of another checkout of this repository with that",
      "checkout's own mvnw (only its target folders are written to), and races its client",
      "against this one, with a control: five rounds, a new JVM for each run, in h1-64 and",
      "h2-1x100, in four minutes. At the end it says for each cell whether this build is",
      "cheaper or dearer in CPU time per request, or no difference was seen. Server and",
      "bench are this checkout's; the driver is the other's, so its driver API must be the",
      "same, as it is in neighbouring commits.",
      "",
      "Exit codes: 99 if a goal of --slo was missed, 98 if there are goals and the",
      "figures are not to be trusted, such as on a machine that was disturbed; 99 also if",
      "this build is dearer than --fail-if-dearer allows."
    })
final class RaceCommand implements Callable<Integer> {

  private static final String SMALL = "small";

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "EXPERIMENT|FILE|CELL",
      arity = "0..*",
      description = "A named experiment (see --list), a file of your own such as"
          + " mine.yaml, or cells: h1-64, a common prefix such as get-1m or slow-reader, or"
          + " all (default: h1-64 and h2tls-1x100).")
  private List<String> named = List.of();

  @Option(names = "--list", description = "List what each experiment shows and how long it takes.")
  private boolean list;

  @Option(names = "--all", description = "All experiments, one after the other.")
  private boolean all;

  @Option(
      names = "--cells",
      paramLabel = "CELL",
      split = ",",
      description = "Cells as a list: h1-64,h1-512.")
  private List<String> cells = List.of();

  @Option(
      names = "--clients",
      paramLabel = "CLIENT",
      split = ",",
      description =
          "The clients, such as heddle,jdk,okhttp, or all (default: the six best known). A client"
              + " of your own is mine=CLASSPATH, with a heddle.bench.driver.Driver of that name.")
  private List<String> clients = List.of();

  @Option(
      names = "--target",
      paramLabel = "URL",
      description =
          "Race against a server of your own: its URL with the path to ask for. Answers of"
              + " any length count; the server's requests are not counted.")
  private @Nullable String target;

  @Mixin
  private ServerTrust trust = new ServerTrust();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = SpanConverter.class,
      description = "How long to wait at most, such as 10m, while other programs or the hypervisor"
          + " take the cores (default 0; in a terminal until you press Enter).")
  private Duration wait = Duration.ZERO;

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = "Race this build of Heddle against that of another checkout, and say whether it"
          + " is cheaper, dearer or no different.")
  private @Nullable Path against;

  @Option(
      names = "--fail-if-dearer",
      paramLabel = "PERCENT",
      description = "With --against: exit with 99 if this build needs more CPU time per request"
          + " by more than this in a cell, beyond the noise.")
  private @Nullable Double failIfDearer;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each client is measured in each cell (default 5, and up to 15"
          + " without a verdict, or for experiments as they define).")
  private @Nullable Integer rounds;

  @Option(
      names = "--method",
      paramLabel = "warm|fresh",
      description =
          "One JVM per client, or per run (default warm, or for most" + " experiments fresh).")
  private @Nullable Method method;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the order of the runs (default 1).")
  private @Nullable Long seed;

  @Option(
      names = "--baseline",
      paramLabel = "CLIENT",
      description = "The client that the others are compared with (default heddle).")
  private @Nullable String baseline;

  @Option(
      names = "--control",
      negatable = true,
      description = "Also race the baseline against itself, which shows what this machine can"
          + " resolve (default from three rounds on).")
  private @Nullable Boolean control;

  @Option(
      names = "--scale",
      paramLabel = "SHARE|small",
      description = "Share of the published size; 1 is the full size, small the size for"
          + " small machines (default: small, or for cells what fits the time).")
  private String scale = SMALL;

  @Option(
      names = "--profile",
      paramLabel = "tuned|defaults",
      description = "Clients with limits raised to the load, or their defaults (default tuned).")
  private @Nullable Profile profile;

  @Option(
      names = "--h2-server",
      paramLabel = "auto|heddle|nghttpd",
      description = "The server for HTTP/2 (default auto: nghttpd if it is installed).")
  private @Nullable Http2Server http2Server;

  @Option(
      names = "--slo",
      paramLabel = "GOAL",
      description = "A goal for each cell that both clients have run, such as"
          + " 'ratio(heddle/okhttp,cpu)<0.5'; may be repeated.")
  private List<String> slos = List.of();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write race.json, race.html, race.csv and a log of HdrHistogram per client"
          + " and cell there; for experiments in DIR/NAME, with index.html as an overview"
          + " (default race-report).")
  private @Nullable Path report;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "For cells; default: race.json, or race-CELL.json for named ones.")
  private @Nullable Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "For cells; default: the same with .html.")
  private @Nullable Path html;

  @Option(names = "--csv", paramLabel = "FILE", description = "One row per run (default: none).")
  private @Nullable Path csv;

  @Option(
      names = "--verbose",
      description = "For cells: also print every figure and verdict, and how it was measured.")
  private boolean verbose;

  @Mixin
  private OtlpOptions otlp = new OtlpOptions();

  @Mixin
  private LiveOptions live = new LiveOptions();

  private final Terminal terminal;

  RaceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      terminal.print(ExperimentList.render(Experiments.all()));
      return CommandLine.ExitCode.OK;
    }
    List<Slo> goals = goals();
    if (!all && named.stream().noneMatch(Experiments::isMeant)) {
      RaceOptions ofCells = options();
      try (Interrupted interrupted = new Interrupted()) {
        if (ofCells.against() != null) {
          return raceBuilds(ofCells, ofCells.against(), goals, interrupted);
        }
        return Verdicts.of(race(ofCells, interrupted), goals, terminal.err());
      } catch (UnknownNameException e) {
        throw wrong(e.getMessage()
            + (named.isEmpty()
                ? ""
                : "; or an experiment: " + String.join(", ", Experiments.NAMES)));
      }
    }
    if (target != null) {
      throw wrong("--target is for cells: in a file of your own, write target: " + target);
    }
    if (against != null) {
      throw wrong("--against races in cells, not in experiments: omit " + (all ? "--all" : named)
          + ", or name cells such as h1-64");
    }
    List<Experiment> experiments = experiments();
    try (Interrupted interrupted = new Interrupted()) {
      return raceAll(experiments, goals, interrupted);
    }
  }

  /** Races this build and another one; prints the verdict last. */
  private int raceBuilds(
      RaceOptions options, OtherBuild other, List<Slo> goals, Interrupted interrupted)
      throws Exception {
    RaceResult result = race(options, interrupted);
    BuildComparison comparison = new BuildComparison(result, other.name());
    int code = Verdicts.of(result, goals, terminal.err());
    terminal.print("\n" + comparison.render());
    return failIfDearer != null && comparison.isDearerThan(failIfDearer)
        ? Math.max(code, Verdicts.MISSED)
        : code;
  }

  /** Runs one after the other, even if one has failed. */
  private int raceAll(List<Experiment> experiments, List<Slo> goals, Interrupted interrupted)
      throws Exception {
    ReportFolder folder = ReportFolder.of(
        reportFolder(), experiments.stream().map(Experiment::story).toList());
    Map<String, Exception> failed = new LinkedHashMap<>();
    int worst = CommandLine.ExitCode.OK;
    for (Experiment each : experiments) {
      if (!interrupted.isAsked()) {
        try {
          worst = Math.max(worst, race(each, folder, goals, interrupted));
        } catch (RaceException | IOException e) {
          failed.put(each.story().name(), e);
        }
      }
    }
    terminal.err().println("INDEX " + folder.page().toAbsolutePath());
    if (experiments.size() == 1 && !failed.isEmpty()) {
      throw failed.values().iterator().next();
    }
    failed.forEach((name, failure) -> terminal.err().println(name + ": " + failure.getMessage()));
    if (!failed.isEmpty()) {
      throw new IOException(failed.size() + " of " + experiments.size() + " experiments failed: "
          + String.join(", ", failed.keySet()));
    }
    return worst;
  }

  /** Writes the index page, even if this race fails. */
  private int race(
      Experiment experiment, ReportFolder folder, List<Slo> goals, Interrupted interrupted)
      throws Exception {
    Story story = experiment.story();
    terminal.err().println("== " + story.name() + ": " + story.title());
    try {
      RaceResult result = race(options(experiment), interrupted);
      folder.finished(result);
      return Verdicts.of(result, goals, terminal.err());
    } catch (RaceException e) {
      folder.failed(story, String.valueOf(e.getMessage()));
      throw e;
    } finally {
      folder.write();
    }
  }

  private RaceResult race(RaceOptions options, Interrupted interrupted) throws Exception {
    OtlpSettings metrics = metrics();
    Race race = new Race(options);
    Race.Demand demand = race.demand();
    new MachineChecks(Readings.now())
        .require(new Need(demand.ofClient(), demand.toServer(), true), terminal::tell);
    if (options.scale() == null) {
      Calm.await(wait, terminal, interrupted::isAsked);
    }
    interrupted.stops(race::stop);
    RaceResult result = live.watched(race, terminal.err(), terminal.interactive());
    boolean isShort = Scoreboard.suits(result) && options.against() == null;
    if (verbose || !isShort) {
      terminal.print(TableReport.render(result) + (isShort ? "\n" : ""));
    }
    if (isShort) {
      terminal.print(Scoreboard.render(result));
    }
    if (metrics != null) {
      RaceExport.send(metrics, result, terminal::tell);
    }
    terminal.print("JSON  " + race.written().json().toAbsolutePath() + "\n" + "HTML  "
        + race.written().html().toAbsolutePath() + "\n");
    return result;
  }

  /** The options of a race of cells. */
  RaceOptions options() {
    var allCells = new ArrayList<>(named);
    allCells.addAll(cells);
    try {
      OtherBuild other = otherBuild();
      return common(plan(other == null ? RacePlan.DEFAULT : OtherBuild.PLAN))
          .cells(other != null && allCells.isEmpty() ? OtherBuild.CELLS : allCells)
          .target(target())
          .outputs(outputs(allCells))
          .scale(share())
          .against(other)
          .build();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /**
   * The server that the user asks for; null without {@code --target}.
   *
   * @throws IllegalArgumentException if options contradict each other
   */
  private @Nullable Target target() {
    if (target == null) {
      if (trust.isGiven()) {
        throw new IllegalArgumentException(
            "--cacert and -k are for a server of your own: give --target URL");
      }
      return null;
    }
    return Target.of(target, trust.trust());
  }

  /**
   * The other build that the user asks for; null without {@code --against}.
   *
   * @throws IllegalArgumentException if it cannot be used, or contradicts other options
   */
  private @Nullable OtherBuild otherBuild() {
    if (against == null) {
      if (failIfDearer != null) {
        throw new IllegalArgumentException(
            "--fail-if-dearer needs another build to compare with: give --against DIR");
      }
      return null;
    }
    if (target != null) {
      throw new IllegalArgumentException("--against uses servers of this checkout: omit --target");
    }
    if (!clients.isEmpty() || baseline != null) {
      throw new IllegalArgumentException("--against races two builds of Heddle and nothing else:"
          + " omit " + (clients.isEmpty() ? "--baseline" : "--clients"));
    }
    if (Boolean.FALSE.equals(control)) {
      throw new IllegalArgumentException(
          "--against needs the control to know how large the noise is: omit --no-control");
    }
    if (failIfDearer != null && !(failIfDearer >= 0 && failIfDearer <= 1000)) {
      throw new IllegalArgumentException(
          "--fail-if-dearer must be 0 to 1000 percent, not " + failIfDearer);
    }
    return OtherBuild.in(home(), against);
  }

  /** Reads all requested experiments before the first one runs. */
  private List<Experiment> experiments() {
    List<String> cellsToo =
        named.stream().filter(word -> !Experiments.isMeant(word)).toList();
    if (!cellsToo.isEmpty() || !cells.isEmpty()) {
      throw wrong("give experiments or cells, not both: there is no experiment "
          + String.join(", ", cellsToo.isEmpty() ? cells : cellsToo) + " (see --list)");
    }
    if (json != null || html != null || csv != null) {
      throw wrong("--json, --html and --csv are for cells: give --report DIR for experiments");
    }
    List<Experiment> experiments = new ArrayList<>();
    try {
      for (String name : all ? Experiments.NAMES : named) {
        Experiment found = Experiments.find(name, share());
        options(found);
        experiments.add(found);
      }
    } catch (ExperimentException | IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    return experiments;
  }

  private Path reportFolder() {
    return report == null ? Path.of("race-report") : report;
  }

  private RaceOptions options(Experiment found) {
    RacePlan usual = RacePlan.DEFAULT
        .withMethod(found.method())
        .withRounds(found.rounds())
        .withBaseline(found.baseline());
    return common(plan(usual))
        .experiment(found)
        .scale(found.story().scale())
        .outputs(ReportFolder.outputs(reportFolder(), found.story()))
        .build();
  }

  private RaceOptions.Builder common(RacePlan plan) {
    RaceOptions.Builder options =
        RaceOptions.builder(home()).clients(clients).plan(plan).profile(profile);
    return http2Server == null ? options : options.http2Server(http2Server);
  }

  /** The scale; null for small. */
  private @Nullable Double share() {
    if (scale.equals(SMALL)) {
      return null;
    }
    try {
      return Double.valueOf(scale);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--scale takes small, or a share such as 0.2, not " + scale, e);
    }
  }

  private CommandLine.ParameterException wrong(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  private @Nullable OtlpSettings metrics() {
    try {
      return otlp.settings();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private List<Slo> goals() {
    try {
      List<Slo> goals = slos.stream().map(Slo::parse).toList();
      RaceGoals.require(goals);
      for (String client : RaceGoals.clients(goals)) {
        if (!clients.isEmpty()
            && clients.stream()
                .noneMatch(each -> each.equals(client) || each.startsWith(client + "="))) {
          throw new IllegalArgumentException("the client " + client
              + " has a goal and does not race: --clients " + String.join(",", clients));
        }
      }
      return goals;
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private RacePlan plan(RacePlan usual) {
    RacePlan plan = usual;
    plan = rounds == null ? plan : plan.withRounds(rounds);
    plan = method == null ? plan : plan.withMethod(method);
    plan = seed == null ? plan : plan.withSeed(seed);
    plan = baseline == null ? plan : plan.withBaseline(baseline);
    return control == null ? plan : plan.withControl(control);
  }

  /**
   * Named files take precedence over those in the folder of the report. A race in named cells does
   * not replace the result of the whole one.
   */
  private RaceOutputs outputs(List<String> ofCells) {
    RaceOutputs usual = report == null ? RaceOutputs.DEFAULT : RaceOutputs.in(report);
    if (report == null && !ofCells.isEmpty()) {
      String name = "race-" + String.join("-", ofCells);
      usual = usual.with(Path.of(name + ".json"), Path.of(name + ".html"), null);
    }
    return usual.with(json, html, csv);
  }

  private Path home() {
    String home = System.getProperty("heddle.home");
    if (home == null) {
      throw wrong("a race needs a checkout of Heddle's source, where the other clients are built:"
          + " run ./heddle race there");
    }
    return Path.of(home);
  }
}
