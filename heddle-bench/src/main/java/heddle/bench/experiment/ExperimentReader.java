package heddle.bench.experiment;

import heddle.bench.contender.Entrant;
import heddle.bench.result.Figure;
import heddle.bench.result.Method;
import heddle.bench.result.Story;
import heddle.bench.server.Serving;
import heddle.bench.tool.Tool;
import heddle.bench.tool.Tools;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads experiments as YAML. {@code experiment.schema.json}, in the folder of the shipped ones,
 * tells editors what is allowed; this class decides.
 */
public final class ExperimentReader {

  /** A key of cells and of entrants. */
  static final String FROM_SCALE = "from-scale";

  private static final int MOST_ROUNDS = 100;

  private ExperimentReader() {}

  /**
   * Reads an experiment.
   *
   * @param file its name, for messages
   * @param text all of it
   * @param scale the share of the published size; null for what the file says
   * @throws ExperimentException if it cannot be used: with the line, the key, and what is allowed
   */
  public static Experiment read(String file, String text, @Nullable Double scale)
      throws ExperimentException {
    YamlMap map = YamlMap.of(file, compose(file, text));
    String name = map.text("name");
    double small = map.as("scale", "1", ExperimentReader::scale);
    double actual = scale == null ? small : scale;
    Target target = target(map);
    Taken<Entrant> taken = taken(map, "entrants", actual, EntrantReader::read);
    List<Entrant> entrants = taken.now();
    distinct(map, "entrants", taken.all(), Entrant::name);
    Taken<Cell> raced = taken(map, "cells", actual, new CellReader(actual, target)::read);
    List<Cell> cells = raced.now();
    if (entrants.stream().anyMatch(entrant -> entrant.serving() != null)) {
      cells.replaceAll(cell -> cell.isClosed() ? cell.comparingServers() : cell);
    }
    distinct(map, "cells", raced.all(), Cell::label);
    requireShares(map, cells);
    requireCells(map, taken.all(), raced.all());
    requireServers(map, entrants, cells);
    Story story = new Story(
        name, map.text("title"), map.text("shows"), actual, then(map), chart(map, raced.all()));
    Method method = map.as("method", "fresh", ExperimentReader::method);
    if (method == Method.WARM && cells.stream().anyMatch(Cell::isFirst)) {
      throw map.wrong("method", "first requests need a fresh JVM: method: fresh");
    }
    Experiment experiment = new Experiment(
        story,
        map.text("takes", "unknown"),
        method,
        map.as("rounds", "5", ExperimentReader::rounds),
        map.text("baseline", entrants.getFirst().name()),
        entrants,
        tools(map),
        cells,
        target);
    map.done();
    requireBaseline(map, experiment);
    return experiment;
  }

  private static @Nullable Target target(YamlMap map) throws ExperimentException {
    if (!map.has("target")) {
      return null;
    }
    return new Target(map.as("target", Target::base), "/", map.as("trust", "", Target::trust));
  }

  private static List<Tool> tools(YamlMap map) throws ExperimentException {
    List<Tool> tools = new ArrayList<>();
    for (String name : map.texts("tools")) {
      tools.add(Tools.find(name)
          .orElseThrow(() -> map.wrong(
              "tools",
              name + " is not a load generator: choose among "
                  + Tools.ALL.stream().map(Tool::name).collect(Collectors.joining(", ")))));
    }
    return tools;
  }

  private static Node compose(String file, String text) throws ExperimentException {
    try {
      return new Compose(LoadSettings.builder().setLabel(file).build())
          .composeString(text)
          .orElseThrow(() -> new ExperimentException(file + ": it is empty"));
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new ExperimentException(file + ":" + line + ": it is not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw new ExperimentException(file + ": it is not YAML: " + e.getMessage());
    }
  }

  private static List<YamlMap> required(YamlMap map, String key) throws ExperimentException {
    List<YamlMap> found = map.maps(key);
    if (found.isEmpty()) {
      throw map.wrong("it lacks the key " + key + ", a list of one or more");
    }
    return found;
  }

  /**
   * The elements of a list, which is checked as a whole.
   *
   * @param now those that race at the requested scale
   */
  private record Taken<T>(List<T> all, List<T> now) {}

  @FunctionalInterface
  private interface Reading<T> {
    List<T> read(YamlMap map) throws ExperimentException;
  }

  /** Omits elements whose {@code from-scale} is above the scale. */
  private static <T> Taken<T> taken(YamlMap map, String key, double scale, Reading<T> reading)
      throws ExperimentException {
    Taken<T> taken = new Taken<>(new ArrayList<>(), new ArrayList<>());
    for (YamlMap each : required(map, key)) {
      double from = each.has(FROM_SCALE) ? each.as(FROM_SCALE, ExperimentReader::scale) : 0;
      List<T> read = reading.read(each);
      taken.all.addAll(read);
      if (from <= scale) {
        taken.now.addAll(read);
      }
    }
    if (taken.now.isEmpty()) {
      throw map.wrong(
          key,
          "none of them races at scale " + scale + ": take " + FROM_SCALE
              + " from one, or give a larger --scale");
    }
    return taken;
  }

  private static double scale(String text) {
    double scale = Double.parseDouble(text);
    if (!(scale > 0 && scale <= 10)) {
      throw new IllegalArgumentException("it must be above 0 and at most 10, not " + text);
    }
    return scale;
  }

  private static int rounds(String text) {
    long rounds = Quantity.count(text, 1);
    if (rounds < 1 || rounds > MOST_ROUNDS) {
      throw new IllegalArgumentException("it must be 1 to " + MOST_ROUNDS + ", not " + text);
    }
    return (int) rounds;
  }

  private static Method method(String text) {
    for (Method each : Method.values()) {
      if (each.label().equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException("it must be fresh or warm, not " + text);
  }

  private static List<Story.Then> then(YamlMap map) throws ExperimentException {
    List<Story.Then> then = new ArrayList<>();
    for (YamlMap each : map.maps("then")) {
      then.add(new Story.Then(each.text("who"), each.text("what"), each.text("value")));
      each.done();
    }
    return then;
  }

  private static Story.@Nullable Chart chart(YamlMap map, List<Cell> cells)
      throws ExperimentException {
    YamlMap chart = map.map("chart");
    if (chart == null) {
      return null;
    }
    Figure figure = chart.as("figure", ExperimentReader::figure);
    List<String> shown = chart.texts("cells");
    List<String> known = cells.stream().map(Cell::label).toList();
    for (String each : shown) {
      if (!known.contains(each)) {
        throw chart.wrong(
            "cells", each + " is not a cell: choose among " + String.join(", ", known));
      }
    }
    chart.done();
    return new Story.Chart(figure, shown);
  }

  private static Figure figure(String key) {
    Figure figure = Figure.find(key);
    if (figure == null) {
      throw new IllegalArgumentException("it must be the key of a figure in race.json, such as "
          + Figure.CPU.key() + ", not " + key);
    }
    return figure;
  }

  private static <T> void distinct(YamlMap map, String key, List<T> all, Function<T, String> naming)
      throws ExperimentException {
    Set<String> names = new HashSet<>();
    for (T each : all) {
      if (!names.add(naming.apply(each))) {
        throw map.wrong(
            key, "there are two called " + naming.apply(each) + ": give them a name each");
      }
    }
  }

  private static void requireShares(YamlMap map, List<Cell> cells) throws ExperimentException {
    List<String> known =
        cells.stream().filter(cell -> cell.share() == null).map(Cell::label).toList();
    for (Cell cell : cells) {
      Share share = cell.share();
      if (share != null && !known.contains(share.cell())) {
        throw map.wrong(
            "cells",
            cell.label() + " has a rate of " + share + ": choose among "
                + String.join(", ", known));
      }
    }
  }

  /** Each server must support the protocol of its cells. */
  private static void requireServers(YamlMap map, List<Entrant> entrants, List<Cell> cells)
      throws ExperimentException {
    for (Cell cell : cells) {
      for (Entrant entrant : entrants) {
        if (cell.serving() == null && entrant.serving() != null) {
          throw map.wrong(
              "entrants", entrant.name() + " has a server, and the experiment a target");
        }
        Serving serving = entrant.serving() == null ? cell.serving() : entrant.serving();
        try {
          if (serving != null && entrant.isIn(cell.label())) {
            serving.spec(cell.protocol(), cell.tls(), cell.processes());
          }
        } catch (IllegalArgumentException e) {
          throw map.wrong("cells", cell.label() + ": " + e.getMessage());
        }
      }
    }
  }

  private static void requireCells(YamlMap map, List<Entrant> entrants, List<Cell> cells)
      throws ExperimentException {
    List<String> labels = cells.stream().map(Cell::label).toList();
    for (Entrant entrant : entrants) {
      for (String cell : entrant.cells()) {
        if (!labels.contains(cell)) {
          throw map.wrong(
              "entrants",
              entrant.name() + " takes part in " + cell + ", which is not a cell: choose among "
                  + String.join(", ", labels));
        }
      }
    }
  }

  private static void requireBaseline(YamlMap map, Experiment experiment)
      throws ExperimentException {
    List<String> names = experiment.entrants().stream().map(Entrant::name).toList();
    if (!names.contains(experiment.baseline())) {
      throw map.wrong(
          "baseline",
          experiment.baseline() + " does not race: choose among " + String.join(", ", names));
    }
    for (Entrant each : experiment.entrants()) {
      if (each.name().equals(experiment.baseline()) && !each.cells().isEmpty()) {
        throw map.wrong(
            "entrants", each.name() + " is the baseline, which takes part in every cell");
      }
    }
  }
}
