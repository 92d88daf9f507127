package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WarmUpCheckTest {

  private static final String COLD =
      "its compilers took more than a tenth of its CPU time in some runs; the coldest are not"
          + " compared";

  @Test
  void warmRunKeepsItsFigures() {
    RunFigures warm = figures(0.05, 0.9);
    assertEquals(new WarmUpCheck(warm, List.of(), ""), WarmUpCheck.of(warm, true, 1));
  }

  @Test
  void runInWhichCompilersAreSeenCountsButIsNotCompared() {
    RunFigures lukewarm = figures(0.2, 0.9);
    assertEquals(new WarmUpCheck(lukewarm, List.of(), COLD), WarmUpCheck.of(lukewarm, true, 1));
  }

  @Test
  void coldRunOfAClientShortOfCpuTimeDoesNotCount() {
    RunFigures cold = figures(0.4, 0.8);
    List<String> why = List.of("not warm: its compilers took 40% of its CPU time");
    assertEquals(new WarmUpCheck(cold, why, ""), WarmUpCheck.of(cold, true, 1));
  }

  @Test
  void coldRunWhoseAnswersDidNotWaitForTheCoreLosesWhatItCostAlone() {
    String why = "its compilers worked in some runs, whose costs are therefore omitted";
    RunFigures told = new RunFigures(
        Map.of(Figure.P50, 1e6, Figure.COMPILING, 0.4, Figure.CPU_CORES, 0.8), Map.of());
    assertEquals(new WarmUpCheck(told, List.of(), why), WarmUpCheck.of(figures(0.4, 0.8), true, 2));
  }

  @Test
  void coldRunOfAClientThatTellsNotWhatItUsedDoesNotCount() {
    RunFigures cold = new RunFigures(Map.of(Figure.COMPILING, 0.4), Map.of());
    List<String> why = List.of("not warm: its compilers took 40% of its CPU time");
    assertEquals(new WarmUpCheck(cold, why, ""), WarmUpCheck.of(cold, true, 1));
  }

  @Test
  void coldRunOfARaceInABudgetCountsButIsNotCompared() {
    RunFigures cold = figures(0.4, 0.8);
    assertEquals(new WarmUpCheck(cold, List.of(), COLD), WarmUpCheck.of(cold, false, 1));
  }

  private static RunFigures figures(double compiling, double cores) {
    return new RunFigures(
        Map.of(
            Figure.P50, 1e6,
            Figure.CPU, 5.0,
            Figure.ALLOCATED, 700.0,
            Figure.COMPILING, compiling,
            Figure.CPU_CORES, cores),
        Map.of());
  }
}
