package heddle.bench.report;

import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;

/** The result of a race as text. */
public final class TableReport {

  private TableReport() {}

  /** A table for each cell, with the unit in each heading; ends with a line break. */
  public static String render(RaceResult result) {
    StringBuilder out = new StringBuilder();
    for (Measurement each : result.results()) {
      out.append(each.cell()).append(' ').append(each.client()).append('\n');
    }
    return out.toString();
  }
}
