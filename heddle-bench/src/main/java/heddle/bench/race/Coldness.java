package heddle.bench.race;

import heddle.bench.machine.Disturbance;
import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is left of a run in which the compilers of a client worked that was to be warm.
 *
 * @param figures those that still stand
 * @param refusing why the run does not count; empty where it does
 * @param disturbing why it is noisy; empty where it is not
 * @param remark why some of them are missing in a run that is otherwise sound; empty where none are
 */
record Coldness(RunFigures figures, List<String> refusing, List<String> disturbing, String remark) {

  /**
   * Of the client's cores. One that has used more was kept waiting by its own compilers and by code
   * that they were about to replace; below, its answers came when they came, and only what they
   * cost says something else.
   */
  private static final double PRESSED = 0.7;

  private static final String UNTOLD =
      "its compilers worked in some runs, whose costs are therefore not told";

  /** What code that is not compiled yet has more of. */
  private static final Set<Figure> COSTS = Set.of(Figure.CPU, Figure.ALLOCATED);

  /**
   * Of a run.
   *
   * @param isStrict whether what is far from warm does not count: all of it where the client was
   *     short of CPU time, else what it cost
   * @param cores how many the client had
   */
  static Coldness of(RunFigures figures, boolean isStrict, int cores) {
    Map<Figure, Double> values = figures.values();
    List<String> noisy = Disturbance.COMPILERS.disturbing(values);
    List<String> cold = Disturbance.COMPILERS.refusing(values);
    if (cold.isEmpty()) {
      return new Coldness(figures, List.of(), noisy, "");
    }
    if (!isStrict) {
      return new Coldness(figures, List.of(), cold, "");
    }
    Double busy = figures.of(Figure.CPU_CORES);
    if (busy == null || busy > PRESSED * cores) {
      return new Coldness(figures, cold, noisy, "");
    }
    return new Coldness(figures.without(COSTS), List.of(), List.of(), UNTOLD);
  }
}
