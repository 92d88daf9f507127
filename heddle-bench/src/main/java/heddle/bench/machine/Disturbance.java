package heddle.bench.machine;

import heddle.bench.result.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the machine did to a run that is none of the client's doing. Waiting for a core is no sign
 * of it: a client that is pinned to one waits for its own threads.
 */
public final class Disturbance {

  /** Beyond this a run is noisy, and said to be. */
  private static final double NOTABLE = 0.1;

  /** Beyond this its figures are those of the machine. */
  private static final double RUINOUS = 0.5;

  private static final Map<Figure, String> CAUSES = Map.of(
      Figure.STEAL, "the hypervisor took %.0f%% of the cores' time",
      Figure.FOREIGN_CPU, "other programs took %.0f%% of the cores' time",
      Figure.THROTTLED, "the container's limit held the race back for %.0f%% of the time",
      Figure.MEMORY_PRESSURE, "something waited for memory for %.0f%% of the time");

  private Disturbance() {}

  /** Why a run with these figures is noisy; empty where it is not. */
  public static List<String> disturbing(Map<Figure, Double> figures) {
    return between(figures, NOTABLE, RUINOUS);
  }

  /** Why a run with these figures does not count; empty where it does. */
  public static List<String> refusing(Map<Figure, Double> figures) {
    return between(figures, RUINOUS, Double.POSITIVE_INFINITY);
  }

  private static List<String> between(Map<Figure, Double> figures, double least, double most) {
    List<String> reasons = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      String cause = CAUSES.get(figure);
      Double share = figures.get(figure);
      if (cause != null && share != null && share > least && share <= most) {
        reasons.add(String.format(Locale.ROOT, cause, 100 * share));
      }
    }
    return reasons;
  }
}
