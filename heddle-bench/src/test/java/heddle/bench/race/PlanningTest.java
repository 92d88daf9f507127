package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.race.Windows.Outstanding;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanningTest {

  @Test
  void coresAreReadInTheKernelsForm() {
    assertEquals(List.of(0, 1, 2, 5), Cores.parse("0-2,5"));
    assertEquals(List.of(7), Cores.parse("7"));
  }

  @Test
  void serverAndClientsGetHalfTheCoresEach() {
    assertEquals(new Cores(List.of(0), List.of(1)), Cores.split(List.of(0, 1)));
    assertEquals(new Cores(List.of(0, 1), List.of(2, 3, 4)), Cores.split(List.of(0, 1, 2, 3, 4)));
    assertEquals(new Cores(List.of(), List.of()), Cores.split(List.of(3)));
    assertEquals(List.of("java"), Cores.pin(List.of(), List.of("java")));
    assertEquals(
        List.of("taskset", "-c", "2,3", "java"), Cores.pin(List.of(2, 3), List.of("java")));
  }

  @Test
  void windowsFillTheBudgetAndDoNotOverrunIt() {
    Outstanding all = new Outstanding(6, 2, 6, 2);
    Duration startUp = Duration.ofMillis(700);
    Windows windows = Windows.fitting(Race.BUDGET, all, startUp);
    Duration wall = windows
        .closedJvm(2)
        .plus(startUp)
        .multipliedBy(6)
        .plus(windows
            .openWarmUp()
            .plus(windows.open())
            .plus(Windows.OPEN_TAIL)
            .plus(startUp)
            .multipliedBy(6))
        .plus(Duration.ofSeconds(Wrk.seconds(windows.closed())).multipliedBy(2));
    assertTrue(wall.compareTo(Race.BUDGET) <= 0, () -> "takes " + wall);
    assertTrue(wall.compareTo(Race.BUDGET.minusSeconds(6)) > 0, () -> "leaves off at " + wall);
    assertTrue(windows.closed().compareTo(Duration.ofMillis(800)) > 0, windows::toString);
  }

  @Test
  void fewClientsGetLongerWindows() {
    Windows few = Windows.fitting(Race.BUDGET, new Outstanding(4, 2, 0, 0), Duration.ofSeconds(1));
    assertTrue(few.closedWarmUp().compareTo(Duration.ofSeconds(10)) > 0, few::toString);
  }

  @Test
  void scaleOneIsThePublishedSize() {
    Windows full = Windows.scaled(1);
    assertEquals(Duration.ofSeconds(1), full.openWarmUp());
    assertEquals(Duration.ofSeconds(10), full.open());
    assertEquals(Duration.ofSeconds(5), Windows.scaled(0.5).closed());
  }

  @Test
  void medianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
    assertEquals(2, Medians.median(new double[] {3, 1, 2}));
    assertEquals(2.5, Medians.median(new double[] {4, 1, 3, 2}));
  }
}
