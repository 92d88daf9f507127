package heddle.bench.account;

import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How many requests are really held. A client that has begun one may still keep it in a queue; only
 * those that have reached the server count.
 *
 * @param figures of the run, corrected by the server's count; unchanged if it does not count
 * @param remark where the two counts differ; empty if they agree, and for any other load
 */
public record HeldRequests(RunFigures figures, String remark) {

  /** Figures per request that the client reports as held. */
  private static final Set<Figure> SHARES = Set.of(
      Figure.HELD_RSS,
      Figure.CPU,
      Figure.ALLOCATED,
      Figure.VOLUNTARY_SWITCHES,
      Figure.INVOLUNTARY_SWITCHES);

  /** From the combined figures of a client and its server. */
  public static HeldRequests of(RunFigures figures) {
    Double most = figures.of(Figure.HELD_MOST);
    Double peak = figures.of(Figure.SERVER_PEAK);
    if (most == null || peak == null) {
      return new HeldRequests(figures, "");
    }
    Map<Figure, Double> right = new EnumMap<>(Figure.class);
    right.put(
        Figure.HELD_SECONDS,
        Math.max(or(figures, Figure.HELD_SECONDS), or(figures, Figure.SERVER_PEAK_SECONDS)));
    if (peak >= most) {
      return new HeldRequests(figures.with(right), "");
    }
    right.put(Figure.HELD_MOST, peak);
    double atEnd = or(figures, Figure.HELD_AT_END);
    right.put(Figure.HELD_AT_END, Math.min(atEnd, peak));
    // If no request arrived, the whole is attributed to one.
    double held = Math.max(1, peak);
    for (Figure share : SHARES) {
      multiply(right, figures, share, most / held);
    }
    multiply(right, figures, Figure.HELD_HEAP, atEnd <= held ? 1 : atEnd / held);
    return new HeldRequests(
        figures.with(right),
        String.format(
            Locale.ROOT,
            "the client had begun %,.0f requests, of which the server never had more than %,.0f",
            most,
            peak));
  }

  private static double or(RunFigures figures, Figure figure) {
    Double value = figures.of(figure);
    return value == null ? 0 : value;
  }

  private static void multiply(
      Map<Figure, Double> right, RunFigures figures, Figure figure, double by) {
    Double value = figures.of(figure);
    if (value != null) {
      right.put(figure, value * by);
    }
  }
}
