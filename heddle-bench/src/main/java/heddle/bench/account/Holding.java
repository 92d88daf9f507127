package heddle.bench.account;

import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How many requests are really held: a client that has begun one may still keep it in a queue of
 * its own. Only what has reached the server is held.
 *
 * @param figures of the run, put right by the server's count; unchanged where it does not count
 * @param remark what the two do not agree on; empty where they do, and for any other load
 */
public record Holding(RunFigures figures, String remark) {

  /** Figures for each request that the client says it holds. */
  private static final Set<Figure> SHARES = Set.of(
      Figure.HELD_RSS,
      Figure.CPU,
      Figure.ALLOCATED,
      Figure.VOLUNTARY_SWITCHES,
      Figure.INVOLUNTARY_SWITCHES);

  /** By the figures of a client and those of its server together. */
  public static Holding of(RunFigures figures) {
    Double most = figures.of(Figure.HELD_MOST);
    Double peak = figures.of(Figure.SERVER_PEAK);
    if (most == null || peak == null) {
      return new Holding(figures, "");
    }
    Map<Figure, Double> right = new EnumMap<>(Figure.class);
    right.put(
        Figure.HELD_SECONDS,
        Math.max(or(figures, Figure.HELD_SECONDS), or(figures, Figure.SERVER_PEAK_SECONDS)));
    if (peak >= most) {
      return new Holding(figures.with(right), "");
    }
    right.put(Figure.HELD_MOST, peak);
    double atEnd = or(figures, Figure.HELD_AT_END);
    right.put(Figure.HELD_AT_END, Math.min(atEnd, peak));
    // Where nothing came, all of it is the share of one.
    double held = Math.max(1, peak);
    for (Figure share : SHARES) {
      multiply(right, figures, share, most / held);
    }
    multiply(right, figures, Figure.HELD_HEAP, atEnd <= held ? 1 : atEnd / held);
    return new Holding(
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
