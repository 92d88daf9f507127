package heddle.bench.race;

import heddle.bench.contender.Contender;
import heddle.bench.contender.Entrant;
import heddle.bench.contender.JvmContender;
import heddle.bench.contender.ToolContender;
import heddle.bench.driver.Profile;
import heddle.bench.experiment.Cell;
import heddle.bench.experiment.Experiment;
import heddle.bench.experiment.Target;
import heddle.bench.result.Story;
import heddle.bench.tool.Tool;
import heddle.bench.tool.Tools;
import heddle.load.cluster.process.Cores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The participants of a race and its cells.
 *
 * @param cells in the order of reports
 * @param entrants clients in JVMs, in the order of reports
 * @param classPaths the class paths of their drivers by client; for another build of Heddle, by
 *     the entrant's name
 * @param ablations the builds of Heddle without some optimisations
 * @param tools load generators in C
 * @param story the story of a named experiment; null for a race of cells
 */
record Lineup(
    List<Cell> cells,
    List<Entrant> entrants,
    Map<String, String> classPaths,
    Set<Ablation> ablations,
    List<Tool> tools,
    @Nullable Story story) {

  /** Finds all clients and cells of the options. */
  static Lineup of(RaceOptions options) throws RaceException {
    Experiment experiment = options.experiment();
    Lineup lineup = experiment == null ? ofCells(options) : ofExperiment(experiment, options);
    lineup.requireBaseline(options.plan().baseline());
    return lineup;
  }

  private static Lineup ofCells(RaceOptions options) throws RaceException {
    Target target = options.target();
    List<Cell> cells =
        target == null ? Cells.find(options.cells()) : Cells.of(target, options.cells());
    OtherBuild against = options.against();
    if (against != null) {
      return ofBuilds(cells, against, options);
    }
    List<String> names = withoutTools(options.clients());
    boolean toolsAlone = names.isEmpty() && !options.clients().isEmpty();
    Map<String, String> classPaths =
        toolsAlone ? Map.of() : DriverClassPaths.find(options.home(), names);
    List<Entrant> entrants = classPaths.keySet().stream()
        .map(name -> Entrant.of(name, options.profileOfCells()))
        .toList();
    List<Tool> tools = tools(options.clients(), Tools.ALL);
    return new Lineup(cells, entrants, classPaths, Set.of(), tools, null);
  }

  /** Creates the lineup of this build of Heddle and another one. */
  private static Lineup ofBuilds(List<Cell> cells, OtherBuild against, RaceOptions options)
      throws RaceException {
    Map<String, String> classPaths = new LinkedHashMap<>(
        DriverClassPaths.find(options.home(), List.of(DriverClassPaths.HEDDLE)));
    classPaths.put(against.name(), DriverClassPaths.classPath(against.driverFolder()));
    Entrant mine = Entrant.of(DriverClassPaths.HEDDLE, options.profileOfCells());
    List<Entrant> entrants = List.of(mine, mine.named(against.name()));
    return new Lineup(cells, entrants, classPaths, Set.of(), List.of(), null);
  }

  /** Clients that are named in the options take part in all their variants in the experiment. */
  private static Lineup ofExperiment(Experiment experiment, RaceOptions options)
      throws RaceException {
    List<Entrant> entrants = experiment.entrants();
    List<String> asked = withoutTools(options.clients());
    if (!options.clients().isEmpty() && !options.clients().contains(DriverClassPaths.EVERY)) {
      entrants = chosen(entrants, asked, options);
    }
    Profile profile = options.profile();
    if (profile != null) {
      entrants = entrants.stream().filter(each -> each.profile() == profile).toList();
      if (entrants.isEmpty()) {
        throw new RaceException("no client takes part in " + experiment.story().name()
            + " with the profile " + profile.label());
      }
    }
    List<String> clients = new ArrayList<>(asked);
    clients.removeIf(client -> DriverClassPaths.name(client).equals(client));
    entrants.stream().map(Entrant::client).distinct().forEach(clients::add);
    Map<String, String> classPaths = new LinkedHashMap<>(
        clients.isEmpty() ? Map.of() : DriverClassPaths.find(options.home(), clients));
    Set<Ablation> ablations = new LinkedHashSet<>();
    for (Entrant each : entrants) {
      if (!each.without().isEmpty()) {
        Ablation ablation = Ablation.of(options.home(), each.without());
        classPaths.put(each.name(), DriverClassPaths.classPath(ablation.copy().driverFolder()));
        ablations.add(ablation);
      }
    }
    return new Lineup(
        experiment.cells(),
        entrants,
        classPaths,
        ablations,
        tools(options.clients(), experiment.tools()),
        experiment.story());
  }

  private static List<Entrant> chosen(List<Entrant> all, List<String> asked, RaceOptions options) {
    List<Entrant> chosen = new ArrayList<>();
    for (String given : asked) {
      String client = DriverClassPaths.name(given);
      List<Entrant> found = all.stream()
          .filter(each -> each.client().equals(client) || each.name().equals(client))
          .toList();
      chosen.addAll(
          found.isEmpty() ? List.of(Entrant.of(client, options.profileOfCells())) : found);
    }
    return chosen;
  }

  private static List<String> withoutTools(List<String> clients) {
    return clients.stream().filter(name -> Tools.find(name).isEmpty()).toList();
  }

  /**
   * The tools that are named, and the usual ones that are installed unless clients are named.
   *
   * @throws RaceException if one is named that is not installed
   */
  private static List<Tool> tools(List<String> clients, List<Tool> usual) throws RaceException {
    boolean isAnybodyMeant = clients.isEmpty() || clients.contains(DriverClassPaths.EVERY);
    List<Tool> racing = new ArrayList<>();
    for (Tool tool : Tools.ALL) {
      boolean isNamed = clients.contains(tool.name());
      if (isNamed && !tool.isInstalled()) {
        throw new RaceException(
            tool.name() + " is not installed: there is no program " + tool.name() + " on the PATH");
      }
      if (isNamed || (isAnybodyMeant && usual.contains(tool) && tool.isInstalled())) {
        racing.add(tool);
      }
    }
    return racing;
  }

  /** A named baseline must take part; without Heddle as the default one there is no comparison. */
  private void requireBaseline(String baseline) throws RaceException {
    List<String> names = new ArrayList<>(entrants.stream().map(Entrant::name).toList());
    tools.forEach(tool -> names.add(tool.name()));
    if (!names.contains(baseline) && !baseline.equals(RacePlan.DEFAULT.baseline())) {
      throw new UnknownNameException(
          "the baseline " + baseline + " does not race: choose among " + String.join(", ", names));
    }
  }

  /** The profiles of the clients, as in results. */
  String profiles() {
    Stream<Profile> all = entrants.isEmpty()
        ? Stream.of(Profile.TUNED)
        : entrants.stream().map(Entrant::profile).distinct();
    return all.map(Profile::label).collect(Collectors.joining(" and "));
  }

  /** All contenders, not started yet; the baseline is there twice if there is a control. */
  List<Contender> contenders(RacePlan plan, String control, Cores cores, Path work) {
    List<Contender> all = new ArrayList<>();
    for (Entrant entrant : entrants) {
      String other = classPaths.get(entrant.name());
      String classPath = other == null ? classPaths.get(entrant.client()) : other;
      if (classPath == null) {
        throw new IllegalStateException("the client " + entrant.client() + " has no class path");
      }
      all.add(new JvmContender(entrant, classPath, cores));
      if (entrant.name().equals(plan.baseline()) && plan.isControlled()) {
        all.add(new JvmContender(entrant.named(control), classPath, cores));
      }
    }
    tools.forEach(tool -> all.add(new ToolContender(tool, cores.client(), work)));
    return all;
  }
}
