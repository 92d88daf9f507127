package heddle.bench.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Ratios between figures, with intervals. */
public final class Ratios {

  private Ratios() {}

  /**
   * The ratio to the baseline in each round in which both have a figure. Disturbances of a whole
   * round affect both, and cancel out.
   *
   * @param figures the figures of a client by round
   * @param baseline the figures of the baseline by round
   * @return the ratios in the order of the rounds, without rounds in which one of the figures is
   *     not above 0
   */
  public static List<Double> paired(Map<Integer, Double> figures, Map<Integer, Double> baseline) {
    List<Double> ratios = new ArrayList<>();
    for (Map.Entry<Integer, Double> each : new TreeMap<>(figures).entrySet()) {
      Double other = baseline.get(each.getKey());
      if (other != null && isUsable(each.getValue()) && isUsable(other)) {
        ratios.add(each.getValue() / other);
      }
    }
    return ratios;
  }

  /** Whether a ratio can be computed from the figure. */
  public static boolean isUsable(double figure) {
    return figure > 0 && Double.isFinite(figure);
  }

  /**
   * The ratio of the medians of two races, which have no rounds in common. Its interval goes from
   * the lower end of the one over the upper end of the other to the reverse. It can miss the true
   * ratio only if one of the two intervals does, which bounds its confidence from below
   * (Bonferroni).
   *
   * @param above the numerator, of figures above 0
   * @param below the denominator, of figures above 0
   */
  public static Estimate unpaired(Estimate above, Estimate below) {
    double confidence = above.interval().confidence() + below.interval().confidence() - 1;
    Interval interval = new Interval(
        above.interval().low() / below.interval().high(),
        above.interval().high() / below.interval().low(),
        Math.max(0, confidence),
        Interval.Method.COMBINED);
    return new Estimate(
        above.median() / below.median(), interval, Math.min(above.count(), below.count()));
  }
}
