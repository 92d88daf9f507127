package heddle.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A logarithmic axis of ratios, on which 2 and 0.5 are equally far from 1. Positions are
 * percentages of its width, so that a drawing of any size can use them.
 *
 * @param low the ratio at its left end
 * @param high the ratio at its right end
 */
record RatioAxis(double low, double high) {

  /** The largest ratio shown; a larger one is drawn at the edge. */
  private static final double FARTHEST = 1_000;

  /** The axis extends at least this far to either side of 1. */
  private static final double NARROWEST = 1.1;

  private static final double MARGIN = 1.06;

  /** The least distance between two ticks in percent of the width, so that labels do not touch. */
  private static final double APART = 19;

  /** An axis that shows all of these and 1. */
  static RatioAxis over(DoubleStream ratios) {
    double low = 1 / NARROWEST;
    double high = NARROWEST;
    for (double each : ratios.toArray()) {
      low = Math.min(low, Math.max(each, 1 / FARTHEST));
      high = Math.max(high, Math.min(each, FARTHEST));
    }
    return new RatioAxis(low / MARGIN, high * MARGIN);
  }

  /** The position of a ratio, such as {@code 43.20%}; clamped to the ends of the axis. */
  String at(double ratio) {
    return percent(position(ratio));
  }

  /** The distance between two ratios, such as {@code 4.10%}. */
  String width(double from, double to) {
    return percent(position(to) - position(from));
  }

  private double position(double ratio) {
    double within = Math.clamp(ratio, low, high);
    return 100 * Math.log(within / low) / Math.log(high / low);
  }

  /** A tick with its label. */
  record Tick(String x, String label) {}

  /** Round ratios, 1 among them. */
  List<Tick> ticks() {
    for (double[] steps : STEPS) {
      List<Double> ticks = ratios(steps);
      if (areApart(ticks)) {
        return ticks.stream().map(each -> new Tick(at(each), label(each))).toList();
      }
    }
    return List.of(new Tick(at(1), label(1)));
  }

  private boolean areApart(List<Double> ticks) {
    for (int i = 1; i < ticks.size(); i++) {
      if (position(ticks.get(i)) - position(ticks.get(i - 1)) < APART) {
        return false;
      }
    }
    return true;
  }

  /** Candidate ticks on either side of 1, from fine steps to coarse ones. */
  private static final double[][] STEPS = {
    {1.05, 1.1},
    {1.1, 1.2},
    {1.1, 1.25},
    {1.25, 1.5},
    {1.5, 2},
    {1.5, 3},
    {2, 4, 8},
    {2, 5, 10},
    {4, 16, 64},
    {10, 100, 1_000},
    {100}
  };

  private List<Double> ratios(double[] steps) {
    List<Double> ratios = new ArrayList<>(List.of(1.0));
    for (double step : steps) {
      ratios.add(step);
      ratios.add(1 / step);
    }
    return ratios.stream()
        .filter(each -> position(each) > 3 && position(each) < 97 && each > low && each < high)
        .sorted()
        .toList();
  }

  private static String label(double ratio) {
    String text = String.format(Locale.ROOT, ratio < 0.1 ? "%.3f" : "%.2f", ratio);
    return text.replaceAll("\\.?0+$", "") + "×";
  }

  static String percent(double value) {
    return String.format(Locale.ROOT, "%.2f%%", value);
  }
}
