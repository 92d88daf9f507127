package heddle.bench.report;

import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The runs of a race as CSV (RFC 4180): a header, then a row for each run, with these columns.
 *
 * <ul>
 *   <li>{@code cell}, {@code client}, {@code round}: what ran; the round from 1
 *   <li>{@code validity}: {@code valid}, {@code noisy} or {@code invalid}
 *   <li>{@code reasons}: what speaks against it, separated by semicolons
 *   <li>{@code errors}: how many requests failed
 *   <li>one for each {@link Figure}, by its key, in the order of the enum; empty if it was not
 *       measured
 * </ul>
 */
public final class CsvReport {

  private static final String END = "\r\n";

  private CsvReport() {}

  /** Renders all runs, including invalid ones. */
  public static String render(RaceResult result) {
    StringBuilder out = new StringBuilder();
    List<String> head =
        new ArrayList<>(List.of("cell", "client", "round", "validity", "reasons", "errors"));
    for (Figure figure : Figure.values()) {
      head.add(figure.key());
    }
    row(out, head);
    for (Measurement measurement : result.results()) {
      for (Run run : measurement.runs()) {
        row(out, fields(measurement, run));
      }
    }
    return out.toString();
  }

  private static List<String> fields(Measurement measurement, Run run) {
    long errors = run.figures().errorsByCause().values().stream()
        .mapToLong(Long::longValue)
        .sum();
    List<String> fields = new ArrayList<>(List.of(
        measurement.cell().name(),
        measurement.client(),
        String.valueOf(run.round()),
        run.soundness().label(),
        String.join("; ", run.soundness().reasons()),
        String.valueOf(errors)));
    for (Figure figure : Figure.values()) {
      Double value = run.figures().of(figure);
      fields.add(value == null ? "" : value.toString());
    }
    return fields;
  }

  private static void row(StringBuilder out, List<String> fields) {
    out.append(fields.stream().map(CsvReport::quoted).collect(Collectors.joining(",")))
        .append(END);
  }

  /** RFC 4180 §2: quotes a field that contains a comma, a quote or a line break. */
  private static String quoted(String field) {
    return field.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n')
        ? "\"" + field.replace("\"", "\"\"") + "\""
        : field;
  }
}
