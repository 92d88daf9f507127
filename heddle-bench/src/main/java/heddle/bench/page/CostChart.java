package heddle.bench.page;

import heddle.bench.result.Costs;
import heddle.bench.result.Environment;
import heddle.bench.result.RaceResult;
import heddle.bench.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What requests cost with each client, as one image of SVG for documents: a bar for each client of
 * each cell, with its interval. It has its own colours for readers who prefer a dark page.
 */
public final class CostChart {
  private static final int HEAD = 64;
  private static final int FOOT = 34;
  private static final int TITLE = 34;
  private static final int ROW = 24;
  private static final int BAR_FROM = 170;
  private static final int BAR_LENGTH = 400;

  private CostChart() {}

  /** Renders the image; null if the race has no such costs. Thread-safe. */
  public static @Nullable String render(RaceResult result) {
    Costs costs = Costs.of(result);
    if (result.story() != null || costs.cells().isEmpty()) {
      return null;
    }
    int y = HEAD;
    List<Cell> cells = new ArrayList<>();
    for (Costs.OfCell each : costs.cells()) {
      Cell cell = cell(each, y);
      cells.add(cell);
      y += TITLE + ROW * cell.rows().size();
    }
    Environment environment = result.environment();
    return Resources.template("cost.svg")
        .execute(Map.of(
            "baseline",
            costs.baseline(),
            "sentence",
            costs.sentence(),
            "cells",
            cells,
            "place",
            RacePage.place(environment) + " · " + environment.date(),
            "footY",
            y + FOOT / 2 + 4,
            "height",
            y + FOOT));
  }

  /**
   * @param y of the base line of its title
   */
  record Cell(int y, String title, List<Row> rows) {}

  /**
   * @param y of the upper edge of its bar
   * @param text of the base line of its texts
   * @param middle of its bar
   * @param length of the bar
   * @param low where its interval begins, and {@code high} where it ends
   * @param valueX where the value stands
   */
  record Row(
      String client,
      String css,
      int y,
      int text,
      int middle,
      String length,
      String low,
      String high,
      String valueX,
      String value) {}

  private static Cell cell(Costs.OfCell cell, int top) {
    double largest = cell.clients().stream()
        .mapToDouble(each -> each.ratio() == null ? 1 : each.ratio().interval().high())
        .max()
        .orElse(1);
    double perUnit = BAR_LENGTH / largest;
    List<Row> rows = new ArrayList<>();
    for (Costs.OfClient each : cell.clients()) {
      boolean isBaseline = each.standing() == Costs.Standing.BASELINE;
      if (isBaseline || each.ratio() != null) {
        rows.add(row(each, top + TITLE + ROW * rows.size(), perUnit));
      }
    }
    return new Cell(top + 24, cell.cell().group() + ", " + cell.cell().wiring(), rows);
  }

  private static Row row(Costs.OfClient client, int y, double perUnit) {
    Estimate ratio = client.ratio();
    double median = ratio == null ? 1 : ratio.median();
    double low = ratio == null ? 1 : ratio.interval().low();
    double high = ratio == null ? 1 : ratio.interval().high();
    return new Row(
        client.client(),
        CellResults.isOurs(client.client()) ? "ours" : "other",
        y + 4,
        y + 17,
        y + 12,
        number(perUnit * median),
        number(BAR_FROM + perUnit * low),
        number(BAR_FROM + perUnit * high),
        number(BAR_FROM + perUnit * high + 10),
        Costs.times(median) + "×"
            + switch (client.standing()) {
              case UNDECIDED -> " (undecided)";
              case NO_DEARER -> " (no dearer)";
              case NO_CHEAPER -> " (no cheaper)";
              case BASELINE, DIFFERENT, SAME, NOT_COMPARED -> "";
            });
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
