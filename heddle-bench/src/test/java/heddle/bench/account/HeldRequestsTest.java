package heddle.bench.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import heddle.bench.result.Figure;
import heddle.bench.result.RunFigures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeldRequestsTest {

  private static final Map<Figure, Double> CLIENT = Map.of(
      Figure.HELD_MOST, 1_000.0,
      Figure.HELD_AT_END, 800.0,
      Figure.HELD_SECONDS, 0.5,
      Figure.HELD_HEAP, 10.0,
      Figure.HELD_RSS, 100.0,
      Figure.CPU, 7.0);

  private static HeldRequests held(double peak, double seconds) {
    return HeldRequests.of(new RunFigures(CLIENT, Map.of())
        .with(Map.of(Figure.SERVER_PEAK, peak, Figure.SERVER_PEAK_SECONDS, seconds)));
  }

  @Test
  void timeToHoldAllIsThatInWhichTheyReachedTheServer() {
    HeldRequests holding = held(1_000, 8.8);
    assertEquals(8.8, holding.figures().of(Figure.HELD_SECONDS));
    assertEquals(1_000.0, holding.figures().of(Figure.HELD_MOST));
    assertEquals(10.0, holding.figures().of(Figure.HELD_HEAP));
    assertEquals("", holding.remark());
  }

  @Test
  void requestsThatTheClientKeepsToItselfAreNotHeld() {
    HeldRequests holding = held(250, 0.1);
    assertEquals(250.0, holding.figures().of(Figure.HELD_MOST));
    assertEquals(250.0, holding.figures().of(Figure.HELD_AT_END));
    assertEquals(0.5, holding.figures().of(Figure.HELD_SECONDS));
    assertEquals(32.0, holding.figures().of(Figure.HELD_HEAP));
    assertEquals(400.0, holding.figures().of(Figure.HELD_RSS));
    assertEquals(28.0, holding.figures().of(Figure.CPU));
    assertEquals(
        "the client had begun 1,000 requests, of which the server never had more than 250",
        holding.remark());
  }

  @Test
  void clientWhoseRequestsNeverCameHoldsNone() {
    HeldRequests holding = held(0, 0);
    assertEquals(0.0, holding.figures().of(Figure.HELD_MOST));
    assertEquals(0.0, holding.figures().of(Figure.HELD_AT_END));
    assertEquals(100_000.0, holding.figures().of(Figure.HELD_RSS));
  }

  @Test
  void otherLoadsAndServersThatDoNotCountAreLeftAsTheyAre() {
    RunFigures alone = new RunFigures(CLIENT, Map.of());
    assertSame(alone, HeldRequests.of(alone).figures());
    RunFigures closed = new RunFigures(Map.of(Figure.CPU, 1.0, Figure.SERVER_PEAK, 9.0), Map.of());
    assertSame(closed, HeldRequests.of(closed).figures());
  }
}
