package heddle.verify.torture;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A row of the table.
 *
 * @param heapBytes peak above what the process held before; negative if it was not measured
 * @param refused the share of the victim's calls that were answered 503, from 0 to 1; NaN if the
 *     victim calls no server of ours
 * @param seconds from the end of the attack to normal service; NaN if there was none
 * @param failures what was wrong; empty if the trial passed
 */
record Result(
    String name,
    long bytesSent,
    long heapBytes,
    double idleP50,
    double idleP99,
    double p50,
    double p99,
    double refused,
    double seconds,
    List<String> failures,
    String note) {

  static final List<String> TITLES = List.of(
      "attack",
      "bytes sent",
      "peak heap",
      "per byte",
      "p50 ms",
      "idle",
      "p99 ms",
      "idle",
      "503s",
      "normal after s",
      "verdict");

  Result {
    failures = List.copyOf(failures);
  }

  /** A row without figures. */
  static Result of(String name, List<String> failures, String note) {
    double none = Double.NaN;
    return new Result(name, 0, -1, none, none, none, none, none, none, failures, note);
  }

  boolean passed() {
    return failures.isEmpty();
  }

  List<String> cells() {
    String verdict = passed() ? "passed" : "FAILED: " + String.join("; ", failures);
    return List.of(
        name,
        bytesSent == 0 ? "" : Long.toString(bytesSent),
        heapBytes < 0 ? "" : "%.1f MB".formatted(heapBytes / 1e6),
        heapBytes < 0 || bytesSent == 0 ? "" : figure((double) heapBytes / bytesSent),
        figure(p50),
        figure(idleP50),
        figure(p99),
        figure(idleP99),
        Double.isNaN(refused) ? "" : "%.1f%%".formatted(100 * refused),
        figure(seconds),
        note.isEmpty() ? verdict : verdict + " (" + note + ")");
  }

  private static String figure(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.2f", value);
  }

  /** Lines for a terminal: the verdict stands last and may be long. */
  static String line(List<String> cells) {
    int[] widths = {36, 12, 10, 9, 9, 8, 9, 8, 7, 14};
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      line.append(i == 0 ? cell : " ".repeat(Math.max(1, widths[i] - cell.length())) + cell);
      line.append(i == 0 ? " ".repeat(Math.max(0, widths[0] - cell.length())) : "");
    }
    return line + "  " + cells.getLast();
  }

  static String markdown(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|").replace("\n", " "))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }
}
