package heddle.bench.result;

import heddle.bench.stats.Estimate;
import heddle.bench.stats.Judge;
import heddle.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request costs with each client, as a multiple of the baseline: the answer of a race of
 * closed loads.
 *
 * @param cells the cells in which the baseline ran, in the order of the race
 * @param baseline the client that the others are compared with
 */
public record Costs(List<OfCell> cells, String baseline) {

  /** Load generators in C, which no program uses as its client. */
  private static final Set<String> TOOLS = Set.of("wrk", "h2load");

  /**
   * Costs are the same if their ratio is between the reciprocal of this and this with its whole
   * interval: less is no reason to change a client.
   */
  public static final double MARGIN = 1.25;

  private static final int LEAST_ROUNDS = 5;

  /** Copies the list. */
  public Costs {
    cells = List.copyOf(cells);
  }

  /**
   * The clients of a cell.
   *
   * @param cell the cell
   * @param clients the cheapest first, then those that are not compared
   */
  public record OfCell(CellInfo cell, List<OfClient> clients) {

    /** Copies the list. */
    public OfCell {
      clients = List.copyOf(clients);
    }

    /** Whether the baseline has a cost to compare with. */
    boolean isComparable() {
      return clients.stream()
          .filter(each -> each.standing() == Standing.BASELINE)
          .anyMatch(each -> each.measurement().of(Figure.CPU) != null);
    }
  }

  /**
   * The cost of a client in a cell.
   *
   * @param measurement its figures
   * @param ratio its CPU time for each request to that of the baseline; null for the baseline, and
   *     for a client without a warm run to compare
   * @param standing what the ratio says
   */
  public record OfClient(Measurement measurement, @Nullable Estimate ratio, Standing standing) {

    /** The name of the client. */
    public String client() {
      return measurement.client();
    }
  }

  /** What is known of a client's cost. */
  public enum Standing {
    /** It is the baseline. */
    BASELINE,
    /** It costs more or less than the baseline. */
    DIFFERENT,
    /** It costs the same: as far as this machine resolves, or within {@link #MARGIN}. */
    SAME,
    /** It costs less or the same: its whole interval is below {@link #MARGIN}. */
    NO_DEARER,
    /** It costs more or the same: its whole interval is above the reciprocal of it. */
    NO_CHEAPER,
    /** The figures do not decide. */
    UNDECIDED,
    /** Its code was still being compiled, or it has no figures. */
    NOT_COMPARED
  }

  /** Compares the clients of each cell with a closed load; the control is left out. */
  public static Costs of(RaceResult result) {
    Design design = result.environment().design();
    Map<CellInfo, List<OfClient>> cells = new LinkedHashMap<>();
    for (Measurement each : result.results()) {
      if (each.cell().kind() == LoadKind.CLOSED && !each.client().equals(design.control())) {
        cells.computeIfAbsent(each.cell(), _ -> new ArrayList<>()).add(of(each, design));
      }
    }
    List<OfCell> compared = new ArrayList<>();
    cells.forEach((cell, clients) -> {
      if (clients.stream().anyMatch(each -> each.standing() == Standing.BASELINE)) {
        clients.sort(Comparator.comparingDouble(Costs::order));
        compared.add(new OfCell(cell, clients));
      }
    });
    return new Costs(compared, design.baseline());
  }

  private static OfClient of(Measurement measurement, Design design) {
    if (measurement.client().equals(design.baseline())) {
      return new OfClient(measurement, null, Standing.BASELINE);
    }
    Effect effect = measurement.effect(Figure.CPU);
    return effect == null
        ? new OfClient(measurement, null, Standing.NOT_COMPARED)
        : new OfClient(measurement, effect.ratio(), standing(effect));
  }

  private static Standing standing(Effect effect) {
    return switch (effect.verdict()) {
      case Verdict.Better _, Verdict.Worse _ -> Standing.DIFFERENT;
      case Verdict.NoDifference _ -> Standing.SAME;
      case Verdict.TooNoisy _ -> withinMargin(effect.ratio());
    };
  }

  /** What the interval says beside the margin if the resolution is too coarse. */
  private static Standing withinMargin(Estimate ratio) {
    boolean isNoCheaper = ratio.interval().low() >= 1 / MARGIN;
    boolean isNoDearer = ratio.interval().high() <= MARGIN;
    if (ratio.count() < LEAST_ROUNDS || !(isNoCheaper || isNoDearer)) {
      return Standing.UNDECIDED;
    }
    if (isNoCheaper && isNoDearer) {
      return Standing.SAME;
    }
    return isNoCheaper ? Standing.NO_CHEAPER : Standing.NO_DEARER;
  }

  /** Whether more rounds may show what a client costs, compared with the baseline. */
  public static boolean isOpen(Measurement measurement) {
    Effect effect = measurement.effect(Figure.CPU);
    return effect == null
        ? measurement.of(Figure.CPU) != null
        : switch (standing(effect)) {
          case UNDECIDED, NO_CHEAPER, NO_DEARER -> true;
          case BASELINE, DIFFERENT, SAME, NOT_COMPARED -> false;
        };
  }

  private static double order(OfClient client) {
    if (client.standing() == Standing.BASELINE) {
      return 1;
    }
    return client.ratio() == null ? Double.MAX_VALUE : client.ratio().median();
  }

  /** Whether any client has a verdict. */
  public boolean isDecided() {
    return cells.stream()
        .flatMap(cell -> cell.clients().stream())
        .anyMatch(
            each -> each.standing() == Standing.DIFFERENT || each.standing() == Standing.SAME);
  }

  /** The answer in one sentence, which says only what was decided. */
  public String sentence() {
    Map<String, List<Double>> decided = new LinkedHashMap<>();
    for (OfCell cell : cells) {
      for (OfClient each : cell.clients()) {
        boolean isDecided =
            each.standing() == Standing.DIFFERENT || each.standing() == Standing.SAME;
        if (isDecided && each.ratio() != null && !TOOLS.contains(each.client())) {
          decided
              .computeIfAbsent(each.client(), _ -> new ArrayList<>())
              .add(each.ratio().median());
        }
      }
    }
    if (decided.isEmpty()) {
      return "This race has not decided what your client's requests cost beside those of "
          + baseline + ".";
    }
    List<String> parts = new ArrayList<>();
    decided.entrySet().stream()
        .sorted(Comparator.comparingDouble(each -> -most(each.getValue())))
        .forEach(each -> parts.add(each.getKey() + " " + range(each.getValue())));
    List<Double> all = decided.values().stream().flatMap(List::stream).toList();
    return "On this machine your client's requests cost " + range(all) + " times the CPU time of "
        + baseline + "'s: " + String.join(", ", parts) + ".";
  }

  /** One line for each client without a verdict. */
  public List<String> undecided() {
    List<String> lines = new ArrayList<>();
    for (OfCell cell : cells) {
      if (!cell.isComparable()) {
        lines.add("not compared: nothing in " + cell.cell().name() + ", because no run of "
            + baseline + " counts there");
        continue;
      }
      for (OfClient each : cell.clients()) {
        String where = each.client() + " in " + cell.cell().name();
        if (each.standing() == Standing.UNDECIDED) {
          lines.add("undecided: " + where + ", " + why(each.measurement()));
        } else if (each.standing() == Standing.NOT_COMPARED) {
          boolean isCold = each.measurement().counted().stream()
              .anyMatch(run -> run.figures().isCold());
          lines.add("not compared: " + where
              + (isCold ? ", its code was still being compiled" : ", it has no CPU time"));
        }
      }
    }
    return lines;
  }

  private static String why(Measurement undecided) {
    Effect effect = undecided.effect(Figure.CPU);
    return effect != null && Judge.hasTooFewRounds(effect.ratio(), effect.resolution())
        ? "too few of its rounds count"
        : "its rounds are too far apart";
  }

  private static double most(List<Double> ratios) {
    return ratios.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  private static String range(List<Double> ratios) {
    double least = ratios.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    String low = times(least);
    String high = times(most(ratios));
    return low.equals(high) ? low : low + " to " + high;
  }

  /** A ratio with two decimals below 10, one below 100, and none above. */
  public static String times(double ratio) {
    return String.format(Locale.ROOT, ratio < 10 ? "%.2f" : ratio < 100 ? "%.1f" : "%.0f", ratio);
  }
}
