package heddle.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.Costs;
import heddle.bench.result.RaceResult;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

class CostChartTest {
  private static final RaceResult RACE = SampleRace.ofCells();

  private static Document chart() {
    return Jsoup.parse(String.valueOf(CostChart.render(RACE)), Parser.xmlParser());
  }

  @Test
  void eachClientOfEachCellHasItsBar() {
    Document chart = chart();
    List<String> drawn = chart.select("text.client").eachText();
    List<String> compared = Costs.of(RACE).cells().stream()
        .flatMap(cell -> cell.clients().stream())
        .filter(each -> each.ratio() != null || each.standing() == Costs.Standing.BASELINE)
        .map(Costs.OfClient::client)
        .toList();
    assertEquals(compared, drawn);
    assertEquals(drawn.size() + 1, chart.select("rect").size());
    assertEquals(drawn.size(), chart.select("line").size());
  }

  @Test
  void barsAreAsLongAsTheyCostAndStayWithinTheImage() {
    for (var line : chart().select("line")) {
      double from = Double.parseDouble(line.attr("x1"));
      double to = Double.parseDouble(line.attr("x2"));
      assertTrue(from <= to && to <= 571, line::outerHtml);
    }
    assertTrue(chart().select("text.ours + rect + line + text").eachText().contains("1.00×"));
  }

  @Test
  void experimentHasNoChart() {
    assertNull(CostChart.render(SampleRace.result()));
  }
}
