package heddle.bench.page;

import java.util.List;

/**
 * A plain table.
 *
 * @param head the titles of the columns; the first is that of the rows' names
 * @param rows in order
 */
record Table(List<String> head, List<Row> rows) {

  /**
   * One row.
   *
   * @param name in its first column
   * @param css a class of the style sheet; empty for none
   * @param fields the fields of the other columns
   */
  record Row(String name, String css, List<String> fields) {}

  /** A row of a client. */
  static Row ofClient(String client, List<String> fields) {
    return new Row(client, CellResults.isOurs(client) ? "ours" : "", fields);
  }

  /** A row of anything else. */
  static Row plain(String name, String... fields) {
    return new Row(name, "", List.of(fields));
  }
}
