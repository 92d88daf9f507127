package heddle.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import heddle.bench.result.Figure;
import heddle.bench.result.Outcome;
import heddle.bench.result.Recording;
import heddle.bench.result.RunFigures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharesTest {

  private static Outcome share(double held, double cpu, double seconds, String... doubts) {
    Map<Figure, Double> figures = Map.of(
        Figure.HELD_MOST, held,
        Figure.SENT, held,
        Figure.CPU, cpu,
        Figure.HELD_SECONDS, seconds);
    return new Outcome(
        new RunFigures(figures, Map.of("refused", 2L)), List.of(doubts), Recording.NONE);
  }

  @Test
  void processesHoldTogetherWhatEachHoldsAndCostOnAverageWhatARequestCosts() {
    Outcome sum = Shares.sum(List.of(share(300, 10, 2, "it stood still"), share(100, 20, 3)));
    assertEquals(400.0, sum.figures().of(Figure.HELD_MOST));
    assertEquals(12.5, sum.figures().of(Figure.CPU));
    assertEquals(3.0, sum.figures().of(Figure.HELD_SECONDS));
    assertEquals(Map.of("refused", 4L), sum.figures().errorsByCause());
    assertEquals(List.of("it stood still"), sum.doubts());
    assertEquals(
        List.of("2 processes, each with its share and its own server"),
        sum.recording().remarks());
  }

  @Test
  void figureThatOneProcessLacksIsLeftOut() {
    Outcome more = share(300, 10, 2);
    Outcome most = new Outcome(more.figures().with(Figure.PEAK_HEAP, 5), List.of(), Recording.NONE);
    assertNull(Shares.sum(List.of(more, most)).figures().of(Figure.PEAK_HEAP));
  }

  @Test
  void oneProcessIsTheWhole() {
    Outcome one = share(300, 10, 2);
    assertSame(one, Shares.sum(List.of(one)));
  }
}
