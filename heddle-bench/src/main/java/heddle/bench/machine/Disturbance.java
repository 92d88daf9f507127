package heddle.bench.machine;

import heddle.bench.result.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Disturbances that take so large a share of a run that its figures are distorted. */
public final class Disturbance {

  /**
   * Disturbances by the machine. Waiting for a core is not among them, because a client that is
   * pinned to one waits for its own threads. Above one half, the figures are those of the machine.
   */
  public static final Disturbance MACHINE = new Disturbance(
      0.5,
      Map.of(
          Figure.STEAL, "the hypervisor took %.0f%% of the cores' time",
          Figure.FOREIGN_CPU, "other programs took %.0f%% of the cores' time",
          Figure.THROTTLED, "the container's limit held the race back for %.0f%% of the time",
          Figure.MEMORY_PRESSURE, "something waited for memory for %.0f%% of the time"));

  /**
   * Compilation in a client that should be warm: code that is about to be replaced costs several
   * times as much as the compiled code. If a load keeps a core busy, compilers that are always
   * active get two fifths of it.
   */
  public static final Disturbance COMPILERS = new Disturbance(
      0.3, Map.of(Figure.COMPILING, "not warm: its compilers took %.0f%% of its CPU time"));

  /** Above this share a run is reported as noisy. */
  private static final double NOTABLE = 0.1;

  /** Above this share it does not count. */
  private final double ruinous;

  private final Map<Figure, String> causes;

  private Disturbance(double ruinous, Map<Figure, String> causes) {
    this.ruinous = ruinous;
    this.causes = Map.copyOf(causes);
  }

  /** Why a run with these figures is noisy; empty if it is not. */
  public List<String> disturbing(Map<Figure, Double> figures) {
    return between(figures, NOTABLE, ruinous);
  }

  /** Why a run with these figures would be noisy or would not count; empty if neither. */
  public List<String> disturbingAtAll(Map<Figure, Double> figures) {
    return between(figures, NOTABLE, Double.POSITIVE_INFINITY);
  }

  /** Why a run with these figures does not count; empty if it does. */
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
