package heddle.bench.report;

import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The result of a race as a page that needs nothing but itself. */
public final class HtmlReport {

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Heddle: a race between HTTP clients</title>
      <style>
      :root { color-scheme: light dark; --bar: #8a97a8; --own: #0b7a75; --line: #8884; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto;
        padding: 0 1rem; }
      h1 { font-size: 1.6rem } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
      h3 { margin-top: 2.5rem } h3 small { font-weight: 400; opacity: .7; margin-left: .5rem }
      .charts { display: grid; gap: 1.5rem 2.5rem;
        grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); }
      figure { margin: 0 } figcaption { font-weight: 600; margin-bottom: .3rem }
      figcaption small { font-weight: 400; opacity: .7 }
      .row { display: grid; grid-template-columns: 6.5rem 1fr 10.5rem; gap: .5rem;
        align-items: center; font-variant-numeric: tabular-nums; font-size: .9rem }
      .track { border-left: 1px solid currentColor; height: 1rem }
      .bar { background: var(--bar); height: 100% }
      .own .bar { background: var(--own) } .own { font-weight: 600 }
      .scroll { overflow-x: auto } table { border-collapse: collapse; font-size: .85rem;
        font-variant-numeric: tabular-nums; margin-top: 1.5rem }
      th, td { text-align: right; padding: .2rem .6rem; border-bottom: 1px solid var(--line);
        white-space: nowrap }
      th:first-child, td:first-child { text-align: left }
      td small { opacity: .7 } summary { cursor: pointer }
      .row span:last-child { white-space: nowrap }
      </style>
      </head>
      <body>
      <h1>A race between HTTP clients</h1>
      """;

  private HtmlReport() {}

  /** A whole page: bars that start at zero with their values, and a table for each cell. */
  public static String render(RaceResult result) {
    StringBuilder out = new StringBuilder(HEAD);
    out.append("<p>").append(escape(result.environment().date())).append("</p>\n");
    list(out, "failed", result.failures());
    list(out, "left out", result.omissions());
    list(out, "not quite warm", TableReport.warnings(result));
    String group = "";
    for (CellView cell : CellView.of(result)) {
      if (!cell.info().group().equals(group)) {
        group = cell.info().group();
        out.append("<h2>").append(escape(group)).append("</h2>\n");
      }
      out.append("<h3>")
          .append(escape(cell.name()))
          .append(" <small>")
          .append(escape(cell.description()))
          .append("</small></h3>\n<div class=\"charts\">\n");
      for (Metric metric : cell.metrics()) {
        chart(out, cell, metric);
      }
      out.append("</div>\n");
      table(out, cell);
    }
    out.append("<h2>How it was measured</h2>\n<ul>\n");
    for (String note : TableReport.notes(result.environment())) {
      out.append("<li>").append(escape(note)).append("</li>\n");
    }
    for (Map.Entry<String, String> each : result.environment().versions().entrySet()) {
      String version = each.getKey() + " " + each.getValue();
      out.append("<li>").append(escape(version)).append("</li>\n");
    }
    return out.append("</ul>\n</body>\n</html>\n").toString();
  }

  /** Folded, so that many do not push the figures off the page. */
  private static void list(StringBuilder out, String what, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    out.append("<details><summary>")
        .append(lines.size())
        .append(' ')
        .append(what)
        .append("</summary>\n<ul>\n");
    for (String line : lines) {
      out.append("<li>").append(escape(line)).append("</li>\n");
    }
    out.append("</ul></details>\n");
  }

  private static void chart(StringBuilder out, CellView cell, Metric metric) {
    double largest = cell.measurements().stream()
        .map(metric::of)
        .filter(Objects::nonNull)
        .mapToDouble(value -> value)
        .max()
        .orElse(0);
    out.append("<figure><figcaption>")
        .append(escape(metric.title()))
        .append(" <small>")
        .append(metric.direction())
        .append("</small></figcaption>\n");
    for (Measurement each : cell.measurements()) {
      Double value = metric.of(each);
      double percent = value == null || largest <= 0 ? 0 : 100 * value / largest;
      String ratio = metric.ratio(each, cell.reference());
      out.append(each.equals(cell.reference()) ? "<div class=\"row own\">" : "<div class=\"row\">")
          .append("<span>")
          .append(escape(each.client()))
          .append("</span><div class=\"track\"><div class=\"bar\" style=\"width:")
          .append(String.format(Locale.ROOT, "%.2f", percent))
          .append("%\"></div></div><span>")
          .append(metric.show(each))
          .append(ratio.isEmpty() ? "" : " (" + ratio + ")")
          .append("</span></div>\n");
    }
    out.append("</figure>\n");
  }

  private static void table(StringBuilder out, CellView cell) {
    out.append("<div class=\"scroll\"><table>\n<tr><th>client</th>");
    for (Metric metric : cell.metrics()) {
      out.append("<th>").append(escape(metric.heading())).append("</th>");
    }
    out.append("<th>conns</th><th>errors</th></tr>\n");
    for (Measurement each : cell.measurements()) {
      out.append("<tr><td>").append(escape(each.client())).append("</td>");
      for (Metric metric : cell.metrics()) {
        out.append("<td>")
            .append(metric.show(each))
            .append(" <small>")
            .append(metric.ratio(each, cell.reference()))
            .append("</small></td>");
      }
      out.append("<td>")
          .append(escape(CellView.connections(each)))
          .append("</td><td>")
          .append(escape(TableReport.errors(each)))
          .append("</td></tr>\n");
    }
    out.append("</table></div>\n");
  }

  /** Text as it may stand in an element or an attribute in double quotes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
