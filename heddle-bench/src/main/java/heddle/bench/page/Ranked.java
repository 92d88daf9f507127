package heddle.bench.page;

import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.stats.Estimate;
import heddle.bench.stats.MedianEstimator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client and its estimate of a figure.
 *
 * @param estimate the median over the valid runs with its interval; null if no run has the figure
 */
record Ranked(Measurement of, @Nullable Estimate estimate) {

  /** The clients of a cell, the best first; those without the figure come last. */
  static List<Ranked> of(CellResults cell, Figure figure) {
    List<Ranked> ranked = new ArrayList<>();
    for (Measurement each : cell.clients()) {
      List<Double> values = List.copyOf(Medians.byRound(each.runs(), figure).values());
      ranked.add(new Ranked(
          each,
          values.isEmpty() ? null : MedianEstimator.of(values, cell.design().seed())));
    }
    ranked.sort(Comparator.comparingDouble(each -> each.order(figure.isMoreBetter())));
    return ranked;
  }

  /** The sort key: the best is lowest. */
  private double order(boolean isMoreBetter) {
    if (estimate == null) {
      return Double.POSITIVE_INFINITY;
    }
    return isMoreBetter ? -estimate.median() : estimate.median();
  }
}
