package heddle.bench.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Bars of clients as one image of SVG for documents, grouped by cells. It has its own colours for
 * readers who prefer a dark page.
 *
 * @param title what the bars show
 * @param direction such as {@code less is better}
 * @param description the same for readers who cannot see the image
 * @param groups one for each cell
 */
record BarChart(String title, String direction, String description, List<Group> groups) {
  private static final int HEAD = 64;
  private static final int FOOT = 34;
  private static final int TITLE = 34;
  private static final int ROW = 24;
  private static final int BAR_FROM = 170;
  private static final int BAR_TO = 570;

  /** Between the edge and the longest name, and between a name and its bar. */
  private static final int GAPS = 30;

  /** The width of a character, on average. */
  private static final double CHARACTER = 7.2;

  /** The bars of a cell, which have a scale in common. */
  record Group(String title, List<Bar> bars) {

    double largest() {
      return bars.stream().mapToDouble(Bar::high).max().orElse(0);
    }
  }

  /**
   * @param client whose bar it is
   * @param low where its interval begins, and {@code high} where it ends
   * @param length of the bar, in the same unit
   * @param value what is written beside it
   */
  record Bar(String client, double low, double length, double high, String value) {}

  /**
   * @param y of the base line of its title
   */
  record Cell(int y, String title, List<Row> rows) {}

  /**
   * @param y of the upper edge of its bar
   * @param text of the base line of its texts
   * @param middle of its bar
   * @param length of the bar
   * @param low where its interval begins, and {@code high} where it ends
   * @param valueX where the value stands
   */
  record Row(
      String client,
      String css,
      int y,
      int text,
      int middle,
      String length,
      String low,
      String high,
      String valueX,
      String value) {}

  /**
   * Renders the image.
   *
   * @param place where and when it was measured
   */
  String render(String place) {
    int barFrom = barFrom();
    int y = HEAD;
    List<Cell> cells = new ArrayList<>();
    for (Group each : groups) {
      cells.add(cell(each, y, barFrom));
      y += TITLE + ROW * each.bars().size();
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("title", title);
    view.put("direction", Character.toUpperCase(direction.charAt(0)) + direction.substring(1));
    view.put("description", description);
    view.put("cells", cells);
    view.put("place", place);
    view.put("barFrom", barFrom);
    view.put("nameEnd", barFrom - 10);
    view.put("footY", y + FOOT / 2 + 4);
    view.put("height", y + FOOT);
    return Resources.template("bars.svg").execute(view);
  }

  /** Where bars begin: right of the longest name. */
  private int barFrom() {
    int longest = groups.stream()
        .flatMap(group -> group.bars().stream())
        .mapToInt(bar -> bar.client().length())
        .max()
        .orElse(0);
    return Math.max(BAR_FROM, (int) (GAPS + CHARACTER * longest));
  }

  private static Cell cell(Group group, int top, int barFrom) {
    double largest = group.largest();
    double perUnit = largest <= 0 ? 0 : (BAR_TO - barFrom) / largest;
    List<Row> rows = new ArrayList<>();
    for (Bar each : group.bars()) {
      int y = top + TITLE + ROW * rows.size();
      rows.add(new Row(
          each.client(),
          CellResults.isOurs(each.client()) ? "ours" : "other",
          y + 4,
          y + 17,
          y + 12,
          number(perUnit * each.length()),
          number(barFrom + perUnit * each.low()),
          number(barFrom + perUnit * each.high()),
          number(barFrom + perUnit * each.high() + 10),
          each.value()));
    }
    return new Cell(top + 24, group.title(), rows);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
