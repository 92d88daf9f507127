package heddle.bench.race;

import heddle.bench.load.LoadPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * wrk, a load generator in C on one thread: what the same load costs without a JVM. It has no
 * warm-up, and what a JVM alone has is missing from its figures.
 */
final class Wrk {

  static final String NAME = "wrk";

  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
  private static final Pattern COUNT = Pattern.compile("(\\d+) requests in");
  private static final Pattern SOCKET_ERRORS =
      Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
  private static final Pattern STATUS_ERRORS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");

  /** The second line of the shell's {@code times}: user and system time of its children. */
  private static final Pattern CHILD_TIMES =
      Pattern.compile("(\\d+)m([0-9.]+)s\\s+(\\d+)m([0-9.]+)s\\s*\\z");

  private Wrk() {}

  /** Whole seconds are all that wrk understands. */
  static long seconds(Duration measured) {
    return Math.max(1, Math.round(measured.toNanos() / 1e9));
  }

  /** The shell runs wrk and then says how much CPU time that took. */
  static List<String> command(LoadPlan plan, Duration measured) {
    return List.of(
        "sh",
        "-c",
        "wrk -t1 -c\"$1\" -d\"$2\"s --latency \"$3\" && times",
        "sh",
        String.valueOf(plan.pace().connections()),
        String.valueOf(seconds(measured)),
        plan.uri().toString());
  }

  static RunFigures parse(String output) throws IOException {
    long requests = Math.round(number(COUNT, output));
    Map<String, Long> errors = new LinkedHashMap<>();
    Matcher socket = SOCKET_ERRORS.matcher(output);
    if (socket.find()) {
      String[] kinds = {"connect", "read", "write", "timeout"};
      for (int i = 0; i < kinds.length; i++) {
        long count = Long.parseLong(socket.group(i + 1));
        if (count > 0) {
          errors.put(kinds[i], count);
        }
      }
    }
    Matcher status = STATUS_ERRORS.matcher(output);
    long refused = status.find() ? Long.parseLong(status.group(1)) : 0;
    if (refused > 0) {
      errors.put("status", refused);
    }
    long answered = Math.max(1, requests - refused);
    return new RunFigures(
        number(RATE, output) * answered / Math.max(1, requests),
        percentile(50, output),
        percentile(99, output),
        errors,
        cpuSeconds(output) * 1e6 / answered,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static double cpuSeconds(String output) throws IOException {
    Matcher times = CHILD_TIMES.matcher(output);
    if (!times.find()) {
      throw new IOException("the shell did not say how much CPU time wrk took: " + output);
    }
    return 60 * Double.parseDouble(times.group(1))
        + Double.parseDouble(times.group(2))
        + 60 * Double.parseDouble(times.group(3))
        + Double.parseDouble(times.group(4));
  }

  private static double percentile(int percent, String output) throws IOException {
    Matcher found =
        Pattern.compile("\\b" + percent + "%\\s+([0-9.]+)(us|ms|s|m)\\b").matcher(output);
    if (!found.find()) {
      throw new IOException("wrk did not print the latency at " + percent + "%: " + output);
    }
    double unit =
        switch (found.group(2)) {
          case "us" -> 1;
          case "ms" -> 1e3;
          case "s" -> 1e6;
          default -> 60e6;
        };
    return Double.parseDouble(found.group(1)) * unit;
  }

  private static double number(Pattern pattern, String output) throws IOException {
    Matcher found = pattern.matcher(output);
    if (!found.find()) {
      throw new IOException("wrk did not print " + pattern + ": " + output);
    }
    return Double.parseDouble(found.group(1));
  }
}
