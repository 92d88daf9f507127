package heddle.bench.page;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart that the page's script draws.
 *
 * @param id the unique id of its element in the page
 * @param title the title
 * @param note what a reader must know to read it; may be empty
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param series one for each client
 * @param table the same figures as text, for browsers without scripts; null if there are too many
 */
record Chart(
    String id,
    String title,
    String note,
    Axis x,
    Axis y,
    List<Series> series,
    @Nullable Table table) {

  /** How values are placed along an axis. */
  enum Scale {
    /** Evenly. */
    LINEAR,
    /** By their logarithm. */
    LOG,
    /** By the share above: 90%, 99% and 99.9% are equally far apart. */
    PERCENTILE,
    /** One of a few, by their number from 0; {@link Axis#names} has their names. */
    NAMES
  }

  /**
   * An axis.
   *
   * @param title the title
   * @param scale the scale
   * @param unit the unit of the values
   * @param names the names of the values, if the scale is {@link Scale#NAMES}
   */
  record Axis(String title, Scale scale, Unit unit, List<String> names) {

    /** An axis of numbers. */
    static Axis of(String title, Scale scale, Unit unit) {
      return new Axis(title, scale, unit, List.of());
    }

    /** An axis of names. */
    static Axis of(String title, List<String> names) {
      return new Axis(title, Scale.NAMES, Unit.COUNT, names);
    }
  }

  /** The points of a client. */
  record Series(String client, List<Point> points) {}

  /**
   * A point of a line.
   *
   * @param x the position
   * @param y the value
   * @param low the lower end of its interval; the value if there is none
   * @param high the upper end
   * @param soundness {@code noisy} or {@code invalid}; empty if it is sound
   */
  record Point(double x, double y, double low, double high, String soundness) {

    /** A point without an interval. */
    static Point at(double x, double y) {
      return new Point(x, y, y, y, "");
    }
  }

  /**
   * The figures of a chart over names as text: a row per line and a column per name, with the
   * soundness of each point that is not sound.
   *
   * @param corner the title of the column of clients
   * @param names the titles of the other columns, in the order of the axis
   */
  static Table table(String corner, List<String> names, List<Series> series, Unit unit) {
    List<String> head = new ArrayList<>(List.of(corner));
    head.addAll(names);
    List<Table.Row> rows = new ArrayList<>();
    for (Series each : series) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        int index = i;
        fields.add(each.points().stream()
            .filter(point -> point.x() == index)
            .map(point -> (unit.show(point.y()) + " " + point.soundness()).strip())
            .findFirst()
            .orElse("–"));
      }
      rows.add(Table.ofClient(each.client(), fields));
    }
    return new Table(head, rows);
  }

  /** What the script needs of a chart. */
  record Data(String id, String title, Axis x, Axis y, List<Line> series) {}

  /**
   * A series as the script needs it.
   *
   * @param ours whether the client is one of Heddle's, which share a colour
   * @param index the place of the client among the others; -1 if it is ours
   * @param points each a list of its numbers
   */
  record Line(String client, boolean ours, int index, List<List<Object>> points) {}

  /** The data for the script. */
  Data data(Palette palette) {
    List<Line> lines = series.stream()
        .map(each -> new Line(
            each.client(),
            CellResults.isOurs(each.client()),
            palette.index(each.client()),
            each.points().stream().map(Chart::toList).toList()))
        .toList();
    return new Data(id, title, x, y, lines);
  }

  /** Lists are half the size of objects, and most points have no more than two numbers. */
  private static List<Object> toList(Point point) {
    List<Object> list = new ArrayList<>(List.of(round(point.x()), round(point.y())));
    boolean hasInterval = point.low() < point.high();
    if (hasInterval || !point.soundness().isEmpty()) {
      list.add(round(point.low()));
      list.add(round(point.high()));
      list.add(point.soundness());
    }
    return list;
  }

  /** To five digits, more than a screen can show. */
  private static Number round(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return 0;
    }
    double scale = Math.pow(10, 4 - Math.floor(Math.log10(Math.abs(value))));
    double rounded = Math.rint(value * scale) / scale;
    return rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15
        ? (Number) (long) rounded
        : (Number) rounded;
  }
}
