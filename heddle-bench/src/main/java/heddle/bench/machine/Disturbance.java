package heddle.bench.machine;

import heddle.bench.result.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What takes so large a share of a run that its figures say something else. */
public final class Disturbance {

  /**
   * What the machine did that is none of the client's doing. Waiting for a core is no sign of it: a
   * client that is pinned to one waits for its own threads. Beyond a half, figures are those of the
   * machine.
   */
  public static final Disturbance MACHINE = new Disturbance(
      0.5,
      Map.of(
          Figure.STEAL, "the hypervisor took %.0f%% of the cores' time",
          Figure.FOREIGN_CPU, "other programs took %.0f%% of the cores' time",
          Figure.THROTTLED, "the container's limit held the race back for %.0f%% of the time",
          Figure.MEMORY_PRESSURE, "something waited for memory for %.0f%% of the time"));

  /**
   * What the compilers of a client did that was to be warm: code that is about to be replaced costs
   * several times what it will cost then. Where a load keeps a core busy, compilers that never rest
   * have two fifths.
   */
  public static final Disturbance COMPILERS = new Disturbance(
      0.3, Map.of(Figure.COMPILING, "not warm: its compilers took %.0f%% of its CPU time"));

  /** Beyond this a run is noisy, and said to be. */
  private static final double NOTABLE = 0.1;

  /** Beyond this it does not count. */
  private final double ruinous;

  private final Map<Figure, String> causes;

  private Disturbance(double ruinous, Map<Figure, String> causes) {
    this.ruinous = ruinous;
    this.causes = Map.copyOf(causes);
  }

  /** Why a run with these figures is noisy; empty where it is not. */
  public List<String> disturbing(Map<Figure, Double> figures) {
    return between(figures, NOTABLE, ruinous);
  }

  /** Why a run with these figures does not count; empty where it does. */
  public List<String> refusing(Map<Figure, Double> figures) {
    return between(figures, ruinous, Double.POSITIVE_INFINITY);
  }

  private List<String> between(Map<Figure, Double> figures, double least, double most) {
    List<String> reasons = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      String cause = causes.get(figure);
      Double share = figures.get(figure);
      if (cause != null && share != null && share > least && share <= most) {
        reasons.add(String.format(Locale.ROOT, cause, 100 * share));
      }
    }
    return reasons;
  }
}
