package heddle.bench.report;

import heddle.bench.result.FailedRequests;
import heddle.bench.result.Measurement;
import heddle.load.record.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Renders the failed requests of a client and the remarks on its runs as text. */
final class FailureLines {

  /** Further causes are rare, and only in the files. */
  private static final int MOST_CAUSES = 4;

  private static final int LONGEST_EXAMPLE = 120;

  private FailureLines() {}

  /** A line for each of the most frequent causes, and for each finding and remark. */
  static List<String> of(Measurement measurement) {
    List<String> lines = new ArrayList<>();
    List<FailedRequests> failures = measurement.failures();
    failures.stream()
        .limit(MOST_CAUSES)
        .forEach(each -> lines.add(measurement.client() + ": " + line(each)));
    if (failures.size() > MOST_CAUSES) {
      lines.add(measurement.client() + ": " + (failures.size() - MOST_CAUSES)
          + " more causes, see --json");
    }
    measurement.findings().forEach(each -> lines.add(measurement.client() + ": " + each));
    measurement.remarks().forEach(each -> lines.add(measurement.client() + ": " + each));
    return lines;
  }

  /** Such as {@code 12 failed while connecting, refused: ConnectException, no route}. */
  private static String line(FailedRequests failed) {
    Failure first = failed.first();
    String kind = first.kind().label();
    boolean isSaidTwice =
        first.cause().toLowerCase(Locale.ROOT).contains(kind.toLowerCase(Locale.ROOT));
    String phase = first.phase().isEmpty() ? "" : " in the phase " + first.phase();
    String example = shortened(first.text());
    return String.format(Locale.ROOT, "%,d failed%s: ", failed.count(), phase)
        + (isSaidTwice ? first.cause() : kind + ", " + first.cause())
        + (example.isEmpty() || example.equals(first.cause()) ? "" : ", such as " + example);
  }

  private static String shortened(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= LONGEST_EXAMPLE
        ? line
        : line.substring(0, LONGEST_EXAMPLE).stripTrailing() + " …";
  }
}
