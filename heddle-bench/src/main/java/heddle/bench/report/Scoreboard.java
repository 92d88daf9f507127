package heddle.bench.report;

import heddle.bench.result.Costs;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.Soundness;
import heddle.bench.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a race on one screen of {@value #WIDTH} columns: a bar for what a request costs
 * with each client, a sentence, and the doubts in one line each.
 */
public final class Scoreboard {

  static final int WIDTH = 80;

  private static final int MOST_DOUBTS = 8;
  private static final int SHORTEST_BAR = 6;

  /** Above this share of disturbed runs the machine is mentioned. */
  private static final double NOTABLE_SHARE = 0.1;

  private static final String CHART = "CPU time per request";
  private static final String[] HEAD = {"ratio", "interval", "", "req/s", "p99", "MiB", "threads"};

  private Scoreboard() {}

  /** Whether all cells of a race can be shown so: closed loads without a slow reader. */
  public static boolean suits(RaceResult result) {
    return result.story() == null
        && !Costs.of(result).cells().isEmpty()
        && result.results().stream()
            .allMatch(
                each -> each.cell().kind() == LoadKind.CLOSED && each.of(Figure.KEPT) == null);
  }

  /** Renders a race that {@linkplain #suits suits}. Ends with a line break. */
  public static String render(RaceResult result) {
    Costs costs = Costs.of(result);
    List<String> lines = new ArrayList<>();
    if (result.isPartial()) {
      lines.add("The race was stopped: these are the runs that had ended.");
      lines.add("");
    }
    for (Costs.OfCell cell : costs.cells()) {
      lines.add(title(cell));
      lines.addAll(bars(cell));
      lines.add("");
    }
    lines.addAll(wrap(costs.sentence()));
    List<String> doubts = doubts(result, costs);
    Set<Costs.Standing> standings = costs.cells().stream()
        .flatMap(each -> each.clients().stream())
        .map(Costs.OfClient::standing)
        .collect(Collectors.toSet());
    if (standings.contains(Costs.Standing.SAME)) {
      lines.add("= is no difference, or one of less than a quarter with its whole interval");
    }
    if (standings.contains(Costs.Standing.NO_DEARER)) {
      lines.add("≤ is less, or no difference: not a quarter more with its whole interval");
    }
    if (standings.contains(Costs.Standing.NO_CHEAPER)) {
      lines.add("≥ is more, or no difference: not a quarter less with its whole interval");
    }
    doubts.stream().limit(MOST_DOUBTS).map(Scoreboard::fit).forEach(lines::add);
    if (doubts.size() > MOST_DOUBTS) {
      lines.add("and " + (doubts.size() - MOST_DOUBTS) + " more: see --verbose");
    }
    lines.add(fit(circumstances(result)));
    StringBuilder out = new StringBuilder();
    lines.forEach(line -> out.append(line.stripTrailing()).append('\n'));
    return out.toString();
  }

  private static String title(Costs.OfCell cell) {
    return fit(cell.cell().label() + " (" + cell.cell().name() + ")");
  }

  private static List<String> bars(Costs.OfCell cell) {
    List<String[]> rows = new ArrayList<>();
    rows.add(HEAD);
    cell.clients().forEach(each -> rows.add(fields(each)));
    int[] widths = new int[HEAD.length];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    int names =
        cell.clients().stream().mapToInt(each -> each.client().length()).max().orElse(0);
    int figures = 0;
    for (int width : widths) {
      figures += 1 + width;
    }
    int bar = Math.max(SHORTEST_BAR, WIDTH - names - 1 - figures);
    double largest =
        cell.clients().stream().mapToDouble(Scoreboard::length).max().orElse(1);
    List<String> lines = new ArrayList<>();
    int left = names + 1 + bar;
    String what = CHART.length() <= left ? CHART : "";
    lines.add(what + " ".repeat(left - what.length()) + aligned(HEAD, widths));
    for (int i = 0; i < cell.clients().size(); i++) {
      Costs.OfClient client = cell.clients().get(i);
      int filled = (int) Math.round(bar * length(client) / largest);
      String drawn = "█".repeat(length(client) > 0 ? Math.max(1, filled) : 0);
      lines.add(String.format(Locale.ROOT, "%-" + names + "s ", client.client())
          + drawn
          + " ".repeat(bar - drawn.length())
          + aligned(rows.get(i + 1), widths));
    }
    return lines;
  }

  private static double length(Costs.OfClient client) {
    Estimate ratio = client.ratio();
    return ratio == null ? client.standing() == Costs.Standing.BASELINE ? 1 : 0 : ratio.median();
  }

  private static String[] fields(Costs.OfClient client) {
    Measurement of = client.measurement();
    Estimate ratio = client.ratio();
    String times = ratio == null ? "-" : Costs.times(ratio.median());
    String interval = ratio == null
        ? ""
        : Costs.times(ratio.interval().low()) + "-"
            + Costs.times(ratio.interval().high());
    Double cpu = of.of(Figure.CPU);
    if (client.standing() == Costs.Standing.BASELINE) {
      times = "1";
      interval = cpu == null ? "" : String.format(Locale.ROOT, "= %.1f µs", cpu);
    }
    String mark =
        switch (client.standing()) {
          case SAME -> "=";
          case NO_DEARER -> "≤";
          case NO_CHEAPER -> "≥";
          case UNDECIDED -> "?";
          case BASELINE, DIFFERENT, NOT_COMPARED -> "";
        };
    return new String[] {
      times,
      interval,
      mark,
      shown(of.of(Figure.RATE), "%,.0f", 1),
      millis(of.of(Figure.P99)),
      shown(of.of(Figure.PEAK_RSS), "%,.0f", 1 << 20),
      shown(of.of(Figure.THREADS), "%,.0f", 1)
    };
  }

  private static String shown(@Nullable Double value, String format, double unit) {
    return value == null ? "-" : String.format(Locale.ROOT, format, value / unit);
  }

  private static String millis(@Nullable Double micros) {
    return micros == null ? "-" : String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
  }

  private static String aligned(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(' ').append(" ".repeat(widths[i] - row[i].length())).append(row[i]);
    }
    return line.toString();
  }

  private static List<String> doubts(RaceResult result, Costs costs) {
    List<String> doubts = new ArrayList<>(costs.undecided());
    List<Run> runs =
        result.results().stream().flatMap(each -> each.runs().stream()).toList();
    long disturbed =
        runs.stream().filter(run -> run.soundness() instanceof Soundness.Noisy).count();
    if (disturbed > NOTABLE_SHARE * runs.size()) {
      doubts.add("machine disturbed in " + disturbed + " of " + runs.size()
          + " runs: something else took its cores");
    }
    long invalid = runs.stream().filter(Run::isInvalid).count();
    if (invalid > 0) {
      doubts.add(invalid + " of " + runs.size() + " runs do not count: see --verbose");
    }
    result.failures().forEach(each -> doubts.add("failed: " + each));
    result.omissions().forEach(each -> doubts.add("left out: " + each));
    return doubts;
  }

  private static String circumstances(RaceResult result) {
    Environment environment = result.environment();
    int most = result.results().stream()
        .flatMap(each -> each.runs().stream())
        .mapToInt(Run::round)
        .max()
        .orElse(0);
    int least = Math.min(most, environment.design().rounds());
    String rounds = most == least ? String.valueOf(most) : least + " to " + most;
    long seconds = Math.round(environment.wallSeconds());
    return rounds + (most == 1 ? " round in " : " rounds in ") + seconds / 60 + " min "
        + seconds % 60 + " s on " + environment.cores() + " cores, server "
        + String.join(" and ", servers(environment.servers()));
  }

  private static List<String> servers(Map<String, String> byGroup) {
    return byGroup.values().stream().distinct().toList();
  }

  private static String fit(String line) {
    return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
  }

  private static List<String> wrap(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
