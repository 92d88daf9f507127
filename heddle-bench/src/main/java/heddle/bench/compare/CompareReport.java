package heddle.bench.compare;

import heddle.bench.result.Effect;
import heddle.bench.result.Figure;
import heddle.bench.stats.Interval;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Renders the comparison of two races as text. */
public final class CompareReport {

  private static final Set<Figure> HEADLINES = EnumSet.of(
      Figure.RATE,
      Figure.P50,
      Figure.P99,
      Figure.CPU,
      Figure.ALLOCATED,
      Figure.PEAK_RSS,
      Figure.THREADS,
      Figure.BATCH_MEAN,
      Figure.HELD_MOST,
      Figure.HELD_RSS);

  private static final List<String> HEAD =
      List.of("", "before", "after", "ratio", "interval", "verdict");

  private CompareReport() {}

  /**
   * Renders a table for each client in each cell, then the clients that only one of the races has,
   * then how the environments differ. Ends with a line break.
   *
   * @param all every figure rather than the most important ones
   */
  public static String render(Comparison comparison, boolean all) {
    StringBuilder out = new StringBuilder();
    List<List<String>> rows = new ArrayList<>();
    String title = "";
    for (Change change : comparison.changes()) {
      if (all || HEADLINES.contains(change.effect().figure())) {
        String own = change.client() + " in " + change.cell().name();
        if (!own.equals(title)) {
          table(out, title, rows);
          title = own;
          rows.clear();
        }
        rows.add(row(change));
      }
    }
    table(out, title, rows);
    if (out.isEmpty()) {
      out.append("The two races have no client in a cell in common that counts.\n\n");
    }
    comparison.unmatched().forEach(line -> out.append(line).append('\n'));
    List<String> differences = Surroundings.differences(
        comparison.before().environment(), comparison.after().environment());
    for (String line : differences) {
      out.append("differs: ").append(line).append('\n');
    }
    if (differences.isEmpty()) {
      out.append("Nothing differs in their surroundings, as far as they say.\n");
    }
    for (String line : comparison.partial()) {
      out.append(line).append('\n');
    }
    doubts(out, "first", comparison.before().doubts());
    doubts(out, "second", comparison.after().doubts());
    return out.toString();
  }

  private static void doubts(StringBuilder out, String which, List<String> doubts) {
    for (String doubt : doubts) {
      out.append("the ")
          .append(which)
          .append(" is not to be trusted: ")
          .append(doubt)
          .append('\n');
    }
  }

  private static List<String> row(Change change) {
    Effect effect = change.effect();
    Interval interval = effect.ratio().interval();
    return List.of(
        effect.figure().key(),
        number(change.before()),
        number(change.after()),
        String.format(Locale.ROOT, "%.3f", effect.ratio().median()),
        String.format(
            Locale.ROOT,
            "%.3f to %.3f (%.0f%%)",
            interval.low(),
            interval.high(),
            100 * interval.confidence()),
        effect.label());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
  }

  private static void table(StringBuilder out, String title, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return;
    }
    List<List<String>> all = new ArrayList<>(List.of(HEAD));
    all.addAll(rows);
    int[] widths = new int[HEAD.size()];
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    out.append(title).append('\n');
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String gap = " ".repeat(widths[i] - row.get(i).length());
        boolean isText = i == 0 || i == widths.length - 1;
        line.append("  ").append(isText ? row.get(i) + gap : gap + row.get(i));
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    out.append('\n');
  }
}
