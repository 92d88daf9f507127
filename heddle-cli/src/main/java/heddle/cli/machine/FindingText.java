package heddle.cli.machine;

import heddle.cli.machine.Finding.Status;
import java.util.List;
import java.util.Locale;

/** Renders findings as text, and for JSON. */
public final class FindingText {

  private static final int WIDTH = 100;
  private static final int INDENT = 9;

  private FindingText() {}

  /** A block of lines per finding, and a summary at the end. */
  public static String render(List<Finding> findings) {
    StringBuilder text = new StringBuilder();
    for (Finding each : findings) {
      text.append(String.format(Locale.ROOT, "%-" + INDENT + "s", label(each.status())))
          .append(each.name())
          .append(": ")
          .append(each.value())
          .append('\n');
      wrap(text, each.meaning());
      if (!each.action().isEmpty()) {
        wrap(text, "To do: " + each.action());
      }
    }
    return text.append('\n').append(summary(findings)).append('\n').toString();
  }

  private static String summary(List<Finding> findings) {
    long problems = count(findings, Status.PROBLEM);
    long warnings = count(findings, Status.WARNING);
    return problems + warnings == 0
        ? "No problems found."
        : number(problems, "problem") + ", " + number(warnings, "warning") + ".";
  }

  private static String number(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static long count(List<Finding> findings, Status status) {
    return findings.stream().filter(each -> each.status() == status).count();
  }

  private static void wrap(StringBuilder text, String sentence) {
    int column = 0;
    for (String word : sentence.split(" ", -1)) {
      if (column == 0 || column + 1 + word.length() > WIDTH) {
        text.append(column == 0 ? "" : "\n").append(" ".repeat(INDENT)).append(word);
        column = INDENT + word.length();
      } else {
        text.append(' ').append(word);
        column += 1 + word.length();
      }
    }
    text.append('\n');
  }

  /** What is written as JSON: the findings in the order of the checks. */
  private record Document(long problems, long warnings, List<Check> checks) {}

  private record Check(String status, String name, String value, String meaning, String action) {}

  /** A value for JSON. */
  public static Object asDocument(List<Finding> findings) {
    List<Check> checks = findings.stream()
        .map(each -> new Check(
            label(each.status()), each.name(), each.value(), each.meaning(), each.action()))
        .toList();
    return new Document(count(findings, Status.PROBLEM), count(findings, Status.WARNING), checks);
  }

  private static String label(Status status) {
    return status.name().toLowerCase(Locale.ROOT);
  }
}
