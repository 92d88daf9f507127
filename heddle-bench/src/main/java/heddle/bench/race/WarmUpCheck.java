package heddle.bench.race;

import heddle.bench.machine.Disturbance;
import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.List;
import java.util.Set;

/**
 * The valid part of a run in which the compilers of a client worked although it should be warm.
 *
 * @param figures the figures that still count
 * @param refusing why the run does not count; empty if it does
 * @param remark why figures are missing or not compared in a run that counts; empty if all are
 */
record WarmUpCheck(RunFigures figures, List<String> refusing, String remark) {

  /**
   * The share of the client's cores above which it was short of CPU time, because of its compilers
   * and of code that is not compiled yet. Below, its response times still count, and only its costs
   * do not.
   */
  private static final double PRESSED = 0.7;

  private static final String UNTOLD =
      "its compilers worked in some runs, whose costs are therefore omitted";

  private static final String COLD =
      "its compilers took more than a tenth of its CPU time in some runs; the coldest are not"
          + " compared";

  /** The figures that are higher in code that is not compiled yet. */
  private static final Set<Figure> COSTS = Set.of(Figure.CPU, Figure.ALLOCATED);

  /**
   * Judges a run.
   *
   * @param isStrict whether a run far from warm is refused: all of it if the client was short of
   *     CPU time, else its costs
   * @param cores the number of cores of the client
   */
  static WarmUpCheck of(RunFigures figures, boolean isStrict, int cores) {
    List<String> cold = Disturbance.COMPILERS.refusing(figures.values());
    if (cold.isEmpty() || !isStrict) {
      return new WarmUpCheck(figures, List.of(), figures.isCold() ? COLD : "");
    }
    Double busy = figures.of(Figure.CPU_CORES);
    if (busy == null || busy > PRESSED * cores) {
      return new WarmUpCheck(figures, cold, "");
    }
    return new WarmUpCheck(figures.without(COSTS), List.of(), UNTOLD);
  }
}
