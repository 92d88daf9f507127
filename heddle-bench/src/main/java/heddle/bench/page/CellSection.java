package heddle.bench.page;

import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Soundness;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The section of the page about a cell.
 *
 * @param id the id of the section
 * @param name such as {@code h2tls-1x100}
 * @param group the group of cells that it belongs to
 * @param description the request and the connections
 * @param remarks remarks on the cell and on the clients' runs
 * @param doubts clients with invalid or noisy runs
 * @param rankings rankings by the most important figures
 * @param forests forest plots of the main figures
 * @param moreForests forest plots of the other figures
 * @param blocks charts that the script draws
 * @param figures a table of all clients
 */
record CellSection(
    String id,
    String name,
    String group,
    String description,
    List<String> remarks,
    List<Doubt> doubts,
    List<Ranking> rankings,
    List<Forest> forests,
    List<Forest> moreForests,
    List<Block> blocks,
    Table figures) {

  /** Below this share, the time of the compilers is within the noise. */
  private static final double NOTABLE_SHARE = 0.05;

  /** A client whose runs are not all sound: the state in a word, and the reasons. */
  record Doubt(String client, String soundness, List<String> reasons) {}

  /** Charts under a heading. */
  record Block(String title, String note, List<Chart> charts) {}

  static CellSection of(CellResults cell, Palette palette) {
    List<Figure> present = cell.figures();
    List<Figure> compared = cell.comparedFigures();
    return new CellSection(
        id(cell),
        cell.info().name(),
        cell.info().group(),
        cell.description(),
        remarks(cell),
        doubts(cell),
        Headlines.ranked(cell.info().kind()).stream()
            .filter(present::contains)
            .map(figure -> Ranking.of(cell, figure, palette))
            .toList(),
        compared.stream()
            .filter(Headlines::isOpen)
            .filter(each -> !Headlines.ranked(cell.info().kind()).contains(each))
            .map(each -> Forest.of(cell, each))
            .toList(),
        compared.stream()
            .filter(each -> !Headlines.isOpen(each))
            .map(each -> Forest.of(cell, each))
            .toList(),
        blocks(cell),
        figures(cell, present));
  }

  /** The id of the section of a cell. */
  static String id(CellResults cell) {
    return "cell-" + slug(cell.info().name());
  }

  /** The text with only characters that an id may have. */
  static String slug(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
  }

  boolean hasMore() {
    return !moreForests.isEmpty();
  }

  boolean hasForests() {
    return !forests.isEmpty();
  }

  boolean hasDoubts() {
    return !doubts.isEmpty();
  }

  /** The number of clients with doubts, in words. */
  String doubtful() {
    long clients = doubts.stream().map(Doubt::client).distinct().count();
    return clients == 1 ? "1 client" : clients + " clients";
  }

  /** All charts of the section. */
  List<Chart> charts() {
    return blocks.stream().flatMap(each -> each.charts().stream()).toList();
  }

  private static List<Block> blocks(CellResults cell) {
    List<Block> blocks = new ArrayList<>();
    add(blocks, "Latency", LatencyCharts.NOTE, LatencyCharts.of(cell));
    add(blocks, "Over time", TimeCharts.note(cell), TimeCharts.of(cell));
    add(blocks, "Round by round", RoundCharts.NOTE, RoundCharts.of(cell));
    return blocks;
  }

  private static void add(List<Block> blocks, String title, String note, List<Chart> charts) {
    if (!charts.isEmpty()) {
      blocks.add(new Block(title, note, charts));
    }
  }

  boolean hasRemarks() {
    return !remarks.isEmpty();
  }

  private static List<String> remarks(CellResults cell) {
    Set<String> remarks = new LinkedHashSet<>();
    if (cell.uncounted() != null) {
      remarks.add("no second count: " + cell.uncounted());
    }
    for (Measurement each : cell.clients()) {
      each.findings().forEach(said -> remarks.add(each.client() + ": " + said));
      each.remarks().forEach(said -> remarks.add(each.client() + ": " + said));
    }
    return List.copyOf(remarks);
  }

  private static List<Doubt> doubts(CellResults cell) {
    List<Doubt> doubts = new ArrayList<>();
    for (Measurement each : cell.clients()) {
      Soundness soundness = each.soundness();
      if (!(soundness instanceof Soundness.Valid)) {
        doubts.add(new Doubt(each.client(), soundness.label(), soundness.reasons()));
      }
      Double compiling = each.of(Figure.COMPILING);
      if (compiling != null && compiling > NOTABLE_SHARE) {
        doubts.add(new Doubt(
            each.client(),
            "not quite warm",
            List.of("the JVM's compilers took " + Unit.SHARE.show(compiling)
                + " of the CPU time while it was measured")));
      }
      if (!each.isHeldToItsConnections()) {
        doubts.add(new Doubt(each.client(), "other connections", List.of(connections(each))));
      }
    }
    return doubts;
  }

  private static String connections(Measurement measurement) {
    Double open = measurement.of(Figure.CONNECTIONS);
    return "had " + (open == null ? "?" : Unit.COUNT.show(open)) + " connections instead of "
        + measurement.cell().connections();
  }

  private static Table figures(CellResults cell, List<Figure> present) {
    List<String> head = new ArrayList<>(List.of("figure"));
    cell.clients().forEach(each -> head.add(each.client()));
    List<Table.Row> rows = new ArrayList<>();
    for (Figure figure : present) {
      Label label = Label.of(figure);
      List<String> fields = new ArrayList<>();
      for (Measurement each : cell.clients()) {
        Double value = each.of(figure);
        fields.add(value == null ? "–" : label.unit().show(value));
      }
      rows.add(new Table.Row(label.title(), "", fields));
    }
    return new Table(head, rows);
  }
}
