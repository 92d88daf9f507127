package heddle.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.Costs;
import heddle.bench.result.Figure;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Story;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RaceChartTest {
  private static final RaceResult RACE = SampleRace.ofCells();
  private static final RaceResult EXPERIMENT = SampleRace.result();

  static List<RaceResult> races() {
    return List.of(RACE, EXPERIMENT);
  }

  private static Document chart(RaceResult race) {
    return Jsoup.parse(String.valueOf(RaceChart.render(race)), Parser.xmlParser());
  }

  @Test
  void eachClientOfEachCellHasItsBar() {
    Document chart = chart(RACE);
    List<String> drawn = chart.select("text.client").eachText();
    List<String> compared = Costs.of(RACE).cells().stream()
        .flatMap(cell -> cell.clients().stream())
        .filter(each -> each.ratio() != null || each.standing() == Costs.Standing.BASELINE)
        .map(Costs.OfClient::client)
        .toList();
    assertEquals(compared, drawn);
    assertEquals(drawn.size() + 1, chart.select("rect").size());
    assertEquals(drawn.size(), chart.select("line").size());
    assertTrue(chart.select("text.ours + rect + line + text").eachText().contains("1.00×"));
  }

  @ParameterizedTest
  @MethodSource("races")
  void barsAreAsLongAsTheirFigureAndStayWithinTheImage(RaceResult race) {
    for (Element line : chart(race).select("line")) {
      double from = number(line, "x1");
      double to = number(line, "x2");
      Element bar = line.previousElementSibling();
      double end = number(bar, "x") + number(bar, "width");
      assertTrue(from <= to && to <= 571, line::outerHtml);
      assertTrue(from - 0.1 <= end && end <= to + 0.1, bar::outerHtml);
    }
  }

  private static double number(Element of, String attribute) {
    return Double.parseDouble(of.attr(attribute));
  }

  @Test
  void experimentShowsItsFigureInItsCells() {
    Document chart = chart(EXPERIMENT);
    assertEquals("CPU time for each request", chart.select("svg > title").text());
    assertEquals(
        List.of("h1-64", "paced-1k"),
        chart.select("text.cell").eachText().stream()
            .map(title -> title.substring(0, title.indexOf(':')))
            .toList());
    assertTrue(chart.select("line + text").eachText().getFirst().endsWith(" µs"));
  }

  @Test
  void experimentWithoutAFigureHasNoChart() {
    assertNull(RaceChart.render(charting(null)));
    assertNull(RaceChart.render(charting(new Story.Chart(Figure.HELD_MOST, List.of()))));
  }

  private static RaceResult charting(Story.Chart chart) {
    return new RaceResult(
        EXPERIMENT.environment(),
        EXPERIMENT.results(),
        List.of(),
        List.of(),
        new Story("a", "b", "c", 1, List.of(), chart),
        false);
  }
}
