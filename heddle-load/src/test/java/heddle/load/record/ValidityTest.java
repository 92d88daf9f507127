package heddle.load.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValidityTest {

  private static GeneratorCost cost(double cpuSeconds, long stalledMillis) {
    return new GeneratorCost(
        Duration.ofSeconds(10),
        Duration.ofMillis((long) (cpuSeconds * 1000)),
        2,
        Duration.ZERO,
        Duration.ofMillis(stalledMillis),
        Duration.ofMillis(stalledMillis));
  }

  @Test
  void generatorThatKeepsUpIsNotDoubted() {
    assertEquals(List.of(), Validity.DEFAULT.doubts(cost(10, 900), true, 9_999));
  }

  @Test
  void requestsThatAreSentLateAreDoubted() {
    String doubt = Validity.DEFAULT.doubts(cost(10, 0), true, 12_500).getFirst();
    assertTrue(doubt.contains("12.5 ms late") && doubt.contains("10.0 ms"), doubt);
    Validity patient = new Validity(Duration.ofSeconds(1));
    assertEquals(List.of(), patient.doubts(cost(10, 0), true, 12_500));
  }

  @Test
  void longAnswersAllowForMoreLag() {
    Validity ofASecond = Validity.DEFAULT.forAnswersOf(1_000_000);
    assertEquals(List.of(), ofASecond.doubts(cost(10, 0), true, 49_000));
    assertFalse(ofASecond.doubts(cost(10, 0), true, 51_000).isEmpty());
    assertEquals(Duration.ofMillis(10), Validity.DEFAULT.forAnswersOf(100_000).maxLag());
    Validity strict = new Validity(Duration.ofMillis(10));
    assertEquals(strict, strict.forAnswersOf(1_000_000));
  }

  @Test
  void openLoadThatUsesAllCoresIsDoubtedAndAClosedOneIsNot() {
    String doubt = Validity.DEFAULT.doubts(cost(19.8, 0), true, 0).getFirst();
    assertTrue(doubt.contains("99% of its 2 cores"), doubt);
    assertEquals(List.of(), Validity.DEFAULT.doubts(cost(19.8, 0), false, 0));
  }

  @Test
  void generatorThatStoodStillIsDoubted() {
    String doubt = Validity.DEFAULT.doubts(cost(10, 1_100), false, 0).getFirst();
    assertTrue(doubt.contains("stood still for 1100 ms"), doubt);
  }

  @Test
  void clientThatTakesAllCoresIsNotDoubtedHoweverLateItIs() {
    assertEquals(List.of(), Validity.DEFAULT.doubtsAboutClient(cost(19.8, 1_100), 900_000));
    assertEquals(List.of(), Validity.DEFAULT.doubtsAboutClient(cost(10, 900), 9_999));
  }

  @Test
  void generatorThatIsLateWithoutItsCoresIsDoubted() {
    String late = Validity.DEFAULT.doubtsAboutClient(cost(10, 0), 12_500).getFirst();
    assertTrue(late.contains("12.5 ms late") && late.contains("only 50% of its 2 cores"), late);
    String stalled = Validity.DEFAULT.doubtsAboutClient(cost(10, 1_100), 0).getFirst();
    assertTrue(stalled.contains("stood still for 1100 ms"), stalled);
  }

  @Test
  void noLagAtAllIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Validity(Duration.ZERO));
  }
}
