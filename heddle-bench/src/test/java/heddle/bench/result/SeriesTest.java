package heddle.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.bench.result.Series.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {

  @Test
  void thinnedSeriesKeepsTheMostOfEachTwoAndTheirAverageRate() {
    Sample first = new Sample(0.25, 0.25, 100, 1, 5, 7, 1_000, null, null, 50L, 0.5, 9);
    Sample second = new Sample(1, 0.75, 300, 2, 3, 9, 900, null, null, 70L, 1.5, 8);
    Sample odd = new Sample(1.25, 0.25, 10, 0, 0, 0, 10, null, null, null, 0, 1);
    assertEquals(
        List.of(new Sample(1, 1, 250, 3, 5, 9, 1_000, null, null, 70L, 1.25, 9), odd),
        new Series(List.of(first, second, odd)).thinned().samples());
  }

  @Test
  void residentSetThatOneOfTwoLacksIsUnknown() {
    Sample known = new Sample(1, 1, 0, 0, 0, 0, 0, null, null, 50L, 0, 1);
    Sample unknown = new Sample(2, 1, 0, 0, 0, 0, 0, null, null, null, 0, 1);
    assertEquals(
        null, new Series(List.of(known, unknown)).thinned().samples().getFirst().rssBytes());
  }
}
