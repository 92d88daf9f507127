package heddle.cli.live;

import java.util.List;

/** Small pictures made of letters. */
final class Graphic {

  private static final String HEIGHTS = "▁▂▃▄▅▆▇█";
  private static final String ASCII_HEIGHTS = "_.:-=+*#";

  private Graphic() {}

  /** A progress bar of a fraction from 0 to 1. */
  static String bar(double fraction, int columns, Look look) {
    int full = (int) Math.round(Math.clamp(fraction, 0, 1) * columns);
    return (look.unicode() ? "━" : "#").repeat(full)
        + (look.unicode() ? "╌" : ".").repeat(columns - full);
  }

  /** A sparkline of the last values, none of them negative; the highest has the full height. */
  static String sparkline(List<Double> values, int columns, Look look) {
    List<Double> last = values.subList(Math.max(0, values.size() - columns), values.size());
    double highest = last.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    String heights = look.unicode() ? HEIGHTS : ASCII_HEIGHTS;
    StringBuilder line = new StringBuilder();
    for (double value : last) {
      int height = highest == 0 ? 0 : (int) Math.round(value / highest * (heights.length() - 1));
      line.append(heights.charAt(height));
    }
    return line.toString();
  }
}
