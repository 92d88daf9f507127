package heddle.load.goal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SloTest {

  private static final Map<String, Figure> FIGURES = Map.of(
      "p99", new Figure(50_000, Unit.TIME),
      "errors", new Figure(0.001, Unit.SHARE),
      "rate", new Figure(1_000, Unit.NUMBER),
      "p50", new Figure(Double.NaN, Unit.TIME),
      "ratio(heddle/okhttp,cpu)", new Figure(0.4, Unit.NUMBER));

  private static boolean isMet(String goal) {
    return Slo.parse(goal).check(FIGURES::get).isMet();
  }

  @Test
  void figuresAreComparedInTheUnitThatIsWritten() {
    for (String met : List.of(
        "p99<=50ms",
        "p99 < 0.0501s",
        "P99>49999us",
        "p99<=50000000ns",
        "p99<1m",
        "errors<=0.1%",
        "rate>=1000",
        "ratio(heddle/okhttp,cpu)<0.5")) {
      assertTrue(isMet(met), met);
    }
    for (String missed : List.of("p99<50ms", "errors<0.1%", "rate>1000")) {
      assertFalse(isMet(missed), missed);
    }
  }

  @Test
  void whatWasNotMeasuredIsMissed() {
    for (String goal : List.of("p50<50ms", "p50>50ms")) {
      Slo.Verdict verdict = Slo.parse(goal).check(FIGURES::get);
      assertFalse(verdict.isMet());
      assertTrue(verdict.toString().contains("nothing was measured"), verdict::toString);
    }
  }

  @Test
  void verdictTellsGoalAndMeasurement() {
    assertEquals(
        "p99<40ms missed: 50.000 ms", Slo.parse("p99<40ms").check(FIGURES::get).toString());
    assertEquals(
        "errors<1% met: 0.100%", Slo.parse("errors<1%").check(FIGURES::get).toString());
  }

  @Test
  void whatIsNoGoalIsRefusedWithWhatIs() {
    for (String text : List.of("", "p99", "p99<", "<50ms", "p99=50ms", "p99<50 days", "p99<-1")) {
      String message = String.valueOf(
          assertThrows(IllegalArgumentException.class, () -> Slo.parse(text)).getMessage());
      assertTrue(message.contains("'" + text + "'") && message.contains("p99<50ms"), message);
    }
  }

  @Test
  void unknownFiguresAndWrongUnitsAreRefused() {
    assertRefused("p98<50ms", "p98");
    assertRefused("p99<50", "p99<50ms");
    assertRefused("errors<1", "errors<0.1%");
    assertRefused("rate>5ms", "without a unit");
  }

  private static void assertRefused(String goal, String word) {
    Slo slo = Slo.parse(goal);
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, () -> slo.check(FIGURES::get))
            .getMessage());
    assertTrue(message.contains(word), message);
  }

  @Test
  void goalsOfALoadAreCheckedBeforeIt() {
    LoadFigures.require(
        Stream.of("p99.9<1s", "service.max<1s", "lag.p50<1ms", "dropped<=0%", "rate>1", "errors<1%")
            .map(Slo::parse)
            .toList());
    List<Slo> unknown = List.of(Slo.parse("p42<1s"));
    String message = String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> LoadFigures.require(unknown))
            .getMessage());
    assertTrue(message.contains("p42") && message.contains("p99.99"), message);
  }
}
