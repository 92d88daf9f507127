package heddle.bench.page;

import heddle.bench.result.Effect;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Soundness;
import heddle.bench.stats.Estimate;
import heddle.bench.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a cell in the order of a figure: a bar from zero for the median, a whisker for its
 * interval, and the ratio to the baseline with its interval.
 *
 * @param title the title of the figure
 * @param direction such as {@code more is better}
 * @param rows the best first; clients without the figure last
 */
record Ranking(String title, String direction, List<Row> rows) {

  /**
   * A client.
   *
   * @param client its name
   * @param css classes of the style sheet
   * @param colour the name of its colour
   * @param soundness {@code noisy} or {@code invalid}; empty if all runs are sound
   * @param median the median of the figure
   * @param comparison the comparison with the baseline
   */
  record Row(
      String client,
      String css,
      String colour,
      String soundness,
      Median median,
      BaselineComparison comparison) {}

  /**
   * The figure of a client.
   *
   * @param place from 1; empty for those without a figure
   * @param bar the length of its bar
   * @param whisker its interval; null if there is none
   * @param value the value with its unit
   * @param interval the interval as text; empty if there is none
   */
  record Median(
      String place, String bar, @Nullable Whisker whisker, String value, String interval) {

    /** For a client without the figure. */
    static final Median NONE = new Median("", "0", null, "–", "");

    static Median of(Estimate estimate, int place, double largest, Unit unit) {
      Interval interval = estimate.interval();
      boolean isOne = estimate.count() == 1;
      return new Median(
          String.valueOf(place),
          share(estimate.median(), largest),
          isOne
              ? null
              : new Whisker(share(interval.low(), largest), share(interval.high(), largest)),
          unit.show(estimate.median()),
          isOne ? "" : unit.show(interval.low()) + " to " + unit.show(interval.high()));
    }

    /** Less than the full width, so that whiskers do not touch the end. */
    private static String share(double value, double largest) {
      return RatioAxis.percent(largest <= 0 ? 0 : 98 * value / largest);
    }
  }

  /** The ranking of a cell by a figure. */
  static Ranking of(CellResults cell, Figure figure, Palette palette) {
    List<Ranked> entries = Ranked.of(cell, figure);
    double largest = entries.stream()
        .map(Ranked::estimate)
        .mapToDouble(each -> each == null ? 0 : each.interval().high())
        .max()
        .orElse(0);
    List<Row> rows = new ArrayList<>();
    for (Ranked each : entries) {
      rows.add(row(cell, figure, each, rows.size() + 1, largest, palette));
    }
    return new Ranking(Label.of(figure).title(), Label.direction(figure), rows);
  }

  /** The same under another title. */
  Ranking titled(String other) {
    return new Ranking(other, direction, rows);
  }

  private static Row row(
      CellResults cell, Figure figure, Ranked entry, int place, double largest, Palette palette) {
    Measurement of = entry.of();
    Estimate estimate = entry.estimate();
    Effect effect = of.effect(figure);
    BaselineComparison comparison =
        cell.isBaseline(of) ? BaselineComparison.BASELINE : BaselineComparison.NOTHING;
    return new Row(
        of.client(),
        CellResults.isOurs(of.client()) ? "ours" : "",
        palette.colour(of.client()),
        of.soundness() instanceof Soundness.Valid ? "" : of.soundness().label(),
        estimate == null
            ? Median.NONE
            : Median.of(estimate, place, largest, Label.of(figure).unit()),
        effect == null ? comparison : BaselineComparison.of(effect));
  }
}
