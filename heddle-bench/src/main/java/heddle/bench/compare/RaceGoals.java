package heddle.bench.compare;

import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.RaceResult;
import heddle.bench.stats.MedianEstimator;
import heddle.bench.stats.Ratios;
import heddle.load.goal.Slo;
import heddle.load.goal.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Goals of a race: {@code ratio(heddle/okhttp,cpu)<0.5}, the median over the rounds of Heddle's
 * figure to that of OkHttp in the same round. It must hold in each cell in which both have run;
 * {@code ratio(heddle/okhttp,cpu,h1-64)} applies to that cell only.
 *
 * <p>Figures are {@code rate p50 p90 p99 p999 mean max batch cpu alloc heap meanheap live rss
 * threads gc switches held heldheap heldrss}, and all keys of {@link Figure} that are compared.
 */
public final class RaceGoals {

  private static final Pattern RATIO = Pattern.compile(
      "ratio\\(\\s*([^/,()]+?)\\s*/\\s*([^/,()]+?)\\s*,\\s*(\\w+)\\s*(?:,\\s*([\\w-]+)\\s*)?\\)");

  private static final Map<String, Figure> SHORT = shortNames();

  private RaceGoals() {}

  private static Map<String, Figure> shortNames() {
    Map<String, Figure> names = new LinkedHashMap<>();
    names.put("rate", Figure.RATE);
    names.put("p50", Figure.P50);
    names.put("p90", Figure.P90);
    names.put("p99", Figure.P99);
    names.put("p999", Figure.P999);
    names.put("mean", Figure.MEAN);
    names.put("max", Figure.MAX);
    names.put("batch", Figure.BATCH_MEAN);
    names.put("cpu", Figure.CPU);
    names.put("alloc", Figure.ALLOCATED);
    names.put("heap", Figure.PEAK_HEAP);
    names.put("meanheap", Figure.MEAN_HEAP);
    names.put("live", Figure.LIVE_SET);
    names.put("rss", Figure.PEAK_RSS);
    names.put("threads", Figure.THREADS);
    names.put("gc", Figure.GC_MILLIS);
    names.put("switches", Figure.VOLUNTARY_SWITCHES);
    names.put("held", Figure.HELD_MOST);
    names.put("heldheap", Figure.HELD_HEAP);
    names.put("heldrss", Figure.HELD_RSS);
    return names;
  }

  /** The two clients and the figure of a goal, and its cell, or null for all cells. */
  private record Ratio(String client, String other, Figure figure, @Nullable String cell) {}

  /**
   * The verdict on a goal in a cell.
   *
   * @param cell its name; empty if no cell has the figures of both clients
   * @param verdict the goal's verdict there
   */
  public record Reached(String cell, Slo.Verdict verdict) {

    /** Such as {@code h1-64: ratio(heddle/okhttp,cpu)<0.5 met: 0.320}. */
    @Override
    public String toString() {
      return cell.isEmpty() ? verdict.toString() : cell + ": " + verdict;
    }
  }

  /**
   * Checks before a race that each goal can be checked after it.
   *
   * @throws IllegalArgumentException if one cannot; the message says what is allowed
   */
  public static void require(List<Slo> goals) {
    for (Slo goal : goals) {
      parse(goal);
      goal.check(_ -> figure(Double.NaN));
    }
  }

  /** The clients that the goals name, in the order of the goals. */
  public static Set<String> clients(List<Slo> goals) {
    Set<String> clients = new LinkedHashSet<>();
    for (Slo goal : goals) {
      Ratio ratio = parse(goal);
      clients.add(ratio.client());
      clients.add(ratio.other());
    }
    return clients;
  }

  /** The verdict on each goal in each cell; a goal is not met if nothing was measured. */
  public static List<Reached> check(List<Slo> goals, RaceResult result) {
    List<Reached> reached = new ArrayList<>();
    for (Slo goal : goals) {
      Ratio wanted = parse(goal);
      boolean isFound = false;
      for (Measurement each : result.results()) {
        Measurement other = find(result, each, wanted);
        if (other != null) {
          isFound = true;
          double value = ratio(each, other, wanted.figure());
          reached.add(new Reached(each.cell().name(), goal.check(_ -> figure(value))));
        }
      }
      if (!isFound) {
        reached.add(new Reached("", goal.check(_ -> figure(Double.NaN))));
      }
    }
    return reached;
  }

  private static heddle.load.goal.Figure figure(double value) {
    return new heddle.load.goal.Figure(value, Unit.NUMBER);
  }

  private static Ratio parse(Slo goal) {
    Matcher ratio = RATIO.matcher(goal.figure());
    if (!ratio.matches()) {
      throw new IllegalArgumentException("'" + goal.text() + "' is not a goal of a race: write two"
          + " clients and a figure, such as ratio(heddle/okhttp,cpu)<0.5, and, for one cell only,"
          + " the cell as the third argument");
    }
    String name = ratio.group(3);
    Figure figure = SHORT.get(name);
    for (Figure each : Figure.values()) {
      figure = each.key().equalsIgnoreCase(name) && each.isCompared() ? each : figure;
    }
    if (figure == null) {
      throw new IllegalArgumentException("'" + goal.text() + "': there is no figure " + name
          + " to compare, but " + String.join(" ", SHORT.keySet()));
    }
    return new Ratio(ratio.group(1), ratio.group(2), figure, ratio.group(4));
  }

  /** The other client's measurement in the same cell, if the goal applies to this one. */
  private static @Nullable Measurement find(
      RaceResult result, Measurement measurement, Ratio wanted) {
    String cell = measurement.cell().name();
    String asked = wanted.cell();
    if (!isNamed(measurement, wanted.client()) || (asked != null && !cell.equals(asked))) {
      return null;
    }
    return result.results().stream()
        .filter(each -> each.cell().equals(measurement.cell()))
        .filter(each -> isNamed(each, wanted.other()))
        .findFirst()
        .orElse(null);
  }

  private static boolean isNamed(Measurement measurement, String client) {
    return measurement.client().toLowerCase(Locale.ROOT).equals(client);
  }

  private static double ratio(Measurement one, Measurement other, Figure figure) {
    List<Double> ratios =
        Ratios.paired(Medians.byRound(one.runs(), figure), Medians.byRound(other.runs(), figure));
    return ratios.isEmpty() ? Double.NaN : MedianEstimator.median(ratios);
  }
}
