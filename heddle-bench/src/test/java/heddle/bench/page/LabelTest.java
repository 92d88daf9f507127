package heddle.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.Figure;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LabelTest {

  @Test
  void everyFigureHasATitleOfItsOwn() {
    Set<String> titles = new HashSet<>();
    for (Figure figure : Figure.values()) {
      String title = Label.of(figure).title();
      assertTrue(titles.add(title), () -> figure + " shares its title: " + title);
      assertFalse(title.contains(figure.key()), title);
    }
  }

  @Test
  void figuresOfAServerHaveTheirUnits() {
    assertEquals(Unit.SECONDS, Label.of(Figure.SERVER_PEAK_SECONDS).unit());
    assertEquals(Unit.BYTES, Label.of(Figure.SERVER_CONNECTION_RSS).unit());
  }
}
