package heddle.bench.page;

import heddle.bench.result.Effect;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.stats.Interval;
import heddle.bench.stats.Resolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A forest plot: the ratio of each client to the baseline with its interval, on a logarithmic axis
 * around 1, with a band for the differences within the spread of the control.
 *
 * @param title the title of the figure
 * @param direction such as {@code less is better}
 * @param ticks the ticks of the axis
 * @param one the position of the ratio 1
 * @param band the band around it; null without a control
 * @param resolution the resolution as a percentage; empty without a control
 * @param rows the clients in the order of the cell, the control last
 */
record Forest(
    String title,
    String direction,
    List<RatioAxis.Tick> ticks,
    String one,
    @Nullable Band band,
    String resolution,
    List<Row> rows) {

  /** The position and the width of the band. */
  record Band(String x, String width) {}

  /**
   * A client.
   *
   * @param client its name
   * @param css classes of the style sheet
   * @param x the position of its ratio
   * @param whisker its interval; null if there is none
   * @param comparison the comparison as text
   */
  record Row(
      String client,
      String css,
      String x,
      @Nullable Whisker whisker,
      BaselineComparison comparison) {}

  /** The plot of a cell by a figure. */
  static Forest of(CellResults cell, Figure figure) {
    List<Measurement> shown = new ArrayList<>(cell.compared(figure));
    Measurement control = cell.control();
    if (control != null && control.effect(figure) != null) {
      shown.add(control);
    }
    List<Effect> effects =
        shown.stream().map(each -> each.effect(figure)).filter(Objects::nonNull).toList();
    Resolution resolution = effects.isEmpty() ? null : effects.getLast().resolution();
    RatioAxis axis = RatioAxis.over(
        DoubleStream.concat(edges(resolution), effects.stream().flatMapToDouble(Forest::ends)));
    List<Row> rows = new ArrayList<>();
    for (Measurement each : shown) {
      Effect effect = Objects.requireNonNull(each.effect(figure));
      rows.add(row(axis, each.client(), effect, each == control));
    }
    return new Forest(
        Label.of(figure).title(),
        Label.direction(figure),
        axis.ticks(),
        axis.at(1),
        resolution == null ? null : band(axis, resolution.factor()),
        resolution == null ? "" : Unit.SHARE.show(resolution.share()),
        rows);
  }

  private static Band band(RatioAxis axis, double factor) {
    return new Band(axis.at(1 / factor), axis.width(1 / factor, factor));
  }

  private static DoubleStream edges(@Nullable Resolution resolution) {
    return resolution == null
        ? DoubleStream.empty()
        : DoubleStream.of(1 / resolution.factor(), resolution.factor());
  }

  private static DoubleStream ends(Effect effect) {
    Interval interval = effect.ratio().interval();
    return Stream.of(effect.ratio().median(), interval.low(), interval.high())
        .mapToDouble(each -> each);
  }

  private static Row row(RatioAxis axis, String client, Effect effect, boolean isControl) {
    Interval interval = effect.ratio().interval();
    String ours = CellResults.isOurs(client) ? "ours" : "";
    return new Row(
        client,
        isControl ? "control" : ours,
        axis.at(effect.ratio().median()),
        BaselineComparison.hasInterval(effect)
            ? new Whisker(axis.at(interval.low()), axis.at(interval.high()))
            : null,
        isControl
            ? BaselineComparison.of(effect).withWord("control")
            : BaselineComparison.of(effect));
  }
}
