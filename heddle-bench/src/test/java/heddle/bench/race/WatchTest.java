package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import heddle.bench.result.Figure;
import heddle.bench.result.Outcome;
import heddle.bench.result.Recording;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import heddle.load.cluster.process.Cores;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchTest {

  private static final Cores ONE = new Cores(List.of(0), List.of(1));

  @Test
  void coldRunThatHadCoreToSpareSaysWhyItsCostsAreMissing() {
    Run run = judge(new Watch(ONE, true, true), coldWithTimeToSpare(), Map.of());
    assertInstanceOf(Soundness.Valid.class, run.soundness());
    assertFalse(run.figures().values().containsKey(Figure.CPU));
    assertEquals(
        List.of("its compilers worked in some runs, whose costs are therefore omitted"),
        run.recording().remarks());
  }

  @Test
  void clientsThatNobodyWarmedMayCompile() {
    Run run = judge(new Watch(ONE, false, true), coldWithTimeToSpare(), Map.of());
    assertInstanceOf(Soundness.Valid.class, run.soundness());
    assertEquals(12.0, run.figures().of(Figure.CPU));
    assertEquals(List.of(), run.recording().remarks());
  }

  @Test
  void countOfTheServerMustBeTheClients() {
    Map<Figure, Double> client = Map.of(Figure.SENT, 100.0, Figure.ANSWERED, 100.0);
    Watch watch = new Watch(ONE, true, true);
    Run run = judge(watch, client, Map.of(Figure.SERVER_REQUESTS, 150.0));
    assertInstanceOf(Soundness.Invalid.class, run.soundness());
    assertInstanceOf(
        Soundness.Valid.class,
        judge(watch, client, Map.of(Figure.SERVER_REQUESTS, 100.0)).soundness());
  }

  private static Map<Figure, Double> coldWithTimeToSpare() {
    return Map.of(Figure.CPU, 12.0, Figure.COMPILING, 0.4, Figure.CPU_CORES, 0.5);
  }

  private static Run judge(Watch watch, Map<Figure, Double> client, Map<Figure, Double> beside) {
    Outcome outcome = new Outcome(new RunFigures(client, Map.of()), List.of(), Recording.NONE);
    return watch.judge(1, 8, outcome, beside);
  }
}
