package heddle.cli.machine;

import heddle.cli.machine.Finding.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Renders findings as text, and as maps for JSON. */
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

  /** For JSON, in the order of the checks. */
  public static Map<String, Object> asMap(List<Finding> findings) {
    List<Map<String, Object>> checks = findings.stream().map(FindingText::asMap).toList();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("problems", count(findings, Status.PROBLEM));
    map.put("warnings", count(findings, Status.WARNING));
    map.put("checks", checks);
    return map;
  }

  private static Map<String, Object> asMap(Finding finding) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("status", label(finding.status()));
    map.put("name", finding.name());
    map.put("value", finding.value());
    map.put("meaning", finding.meaning());
    map.put("action", finding.action());
    return map;
  }

  private static String label(Status status) {
    return status.name().toLowerCase(Locale.ROOT);
  }
}
