package heddle.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class UnitTest {

  @Test
  void figuresHaveThreeDigitsThatCountAndAReadableUnit() {
    assertEquals("48,123/s", Unit.RATE.show(48_123.4));
    assertEquals("812 µs", Unit.MICROS.show(812.3));
    assertEquals("9.50 µs", Unit.MICROS.show(9.5));
    assertEquals("1.32 ms", Unit.MICROS.show(1_321));
    assertEquals("12.5 s", Unit.MICROS.show(12_510_000));
    assertEquals("20 ms", Unit.MILLIS.show(20));
    assertEquals("1,023 B", Unit.BYTES.show(1_023));
    assertEquals("52.0 MiB", Unit.BYTES.show(52.01 * (1 << 20)));
    assertEquals("0.12", Unit.COUNT.show(0.1234));
    assertEquals("7%", Unit.SHARE.show(0.07));
    assertEquals("<0.01%", Unit.SHARE.show(7e-6));
    assertEquals("0%", Unit.SHARE.show(0));
    assertEquals("0.52×", Unit.times(0.5249));
    assertEquals("12.3×", Unit.times(12.34));
    assertEquals("0.49–0.55×", Unit.span(0.49, 0.551));
  }

  @Test
  void halfAndTwiceAreAsFarFromOne() {
    RatioAxis axis = RatioAxis.over(DoubleStream.of(0.5, 2));
    assertEquals("50.00%", axis.at(1));
    double half = Double.parseDouble(axis.at(0.5).replace("%", ""));
    double twice = Double.parseDouble(axis.at(2).replace("%", ""));
    assertEquals(100, half + twice, 0.011);
    assertTrue(half > 0, axis.toString());
  }

  @Test
  void axisHasAFewRoundTicksAndOneAmongThem() {
    for (double far : List.of(1.01, 1.3, 1.8, 3.0, 7.0, 30.0, 90.0, 5e4)) {
      List<RatioAxis.Tick> ticks = RatioAxis.over(DoubleStream.of(1 / far, far)).ticks();
      assertTrue(ticks.size() >= 3 && ticks.size() <= 7, far + ": " + ticks);
      assertTrue(ticks.stream().anyMatch(each -> each.label().equals("1×")), far + ": " + ticks);
    }
  }
}
