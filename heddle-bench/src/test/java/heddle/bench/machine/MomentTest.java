package heddle.bench.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.Figure;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MomentTest {

  private static final List<String> STAT = List.of(
      "cpu  60 6 30 900 9 3 3 30 2 0",
      "cpu0 10 1 10 300 3 1 1 10 1 0",
      "cpu1 50 5 20 600 6 2 2 20 1 0",
      "intr 12 0 0");

  @Test
  void timesAreThoseOfTheCoresThatTheRaceHas() {
    assertEquals(new CoreTimes(21, 10, 336), CoreTimes.of(STAT, List.of(0)));
    assertEquals(new CoreTimes(96, 30, 1041), CoreTimes.of(STAT, List.of()));
    assertEquals(new CoreTimes(96, 30, 1041), CoreTimes.of(STAT, List.of(0, 1)));
  }

  @Test
  void timeOfAProcessIsReadBehindItsNameWhateverThatIs() {
    String stat = "42 (a) b (c) S 1 1 1 0 -1 4194560 1 2 3 4 100 20 3 7 20 0 33 0 99";
    assertEquals(130, ProcessTicks.parse(stat));
  }

  @Test
  void whatOthersTakeIsWhatTheRaceDoesNotTake() {
    Moment before = moment(0, new CoreTimes(100, 10, 1_000), 50L, 1_000_000, 0L);
    Moment after = moment(2_000_000_000, new CoreTimes(280, 30, 1_400), 190L, 1_500_000, 200_000L);
    Map<Figure, Double> shares = after.since(before);
    assertEquals(0.05, shares.get(Figure.STEAL), 1e-9);
    assertEquals(0.1, shares.get(Figure.FOREIGN_CPU), 1e-9);
    assertEquals(0.25, shares.get(Figure.MEMORY_PRESSURE), 1e-9);
    assertEquals(0.1, shares.get(Figure.THROTTLED), 1e-9);
  }

  @Test
  void whatThePlatformDoesNotTellIsMissing() {
    Moment before = new Moment(0, null, null, Map.of(), null);
    Moment after = new Moment(1_000_000_000, null, null, Map.of(), null);
    assertEquals(Map.of(), after.since(before));
  }

  @Test
  void thisMachineTellsSharesOrNothing() throws IOException {
    Moment before = Moment.now(List.of());
    long sum = 0;
    while (System.nanoTime() - before.nanos() < 50_000_000) {
      sum += Long.hashCode(System.nanoTime());
    }
    Map<Figure, Double> shares = Moment.now(List.of()).since(before);
    assertTrue(
        shares.values().stream().allMatch(share -> share >= 0 && share <= 1), shares + " " + sum);
  }

  @Test
  void disturbedRunIsNoisyAndRuinedOneIsRefused() {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.STEAL, 0.04);
    figures.put(Figure.CPU_PRESSURE, 0.9);
    assertEquals(List.of(), Disturbance.MACHINE.disturbing(figures));
    figures.put(Figure.FOREIGN_CPU, 0.2);
    assertEquals(
        List.of("other programs took 20% of the cores' time"),
        Disturbance.MACHINE.disturbing(figures));
    assertEquals(List.of(), Disturbance.MACHINE.refusing(figures));
    figures.put(Figure.STEAL, 0.6);
    assertEquals(
        List.of("the hypervisor took 60% of the cores' time"),
        Disturbance.MACHINE.refusing(figures));
  }

  private static Moment moment(
      long nanos, CoreTimes cores, long ticks, long memoryMicros, long throttledMicros) {
    return new Moment(
        nanos, cores, ticks, Map.of(Figure.MEMORY_PRESSURE, memoryMicros), throttledMicros);
  }
}
