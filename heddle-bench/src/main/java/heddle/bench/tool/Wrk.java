package heddle.bench.tool;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Protocol;
import heddle.bench.result.RunFigures;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * wrk, a load generator for HTTP/1.1 on one thread. It has no warm-up, and it reads 8 KiB at a
 * time.
 */
public final class Wrk implements Tool {
  /** With 2,000 a window of a second ends before all are in use. */
  private static final int MOST_CONNECTIONS = 1_000;

  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
  private static final Pattern COUNT = Pattern.compile("(\\d+) requests in");
  private static final Pattern SOCKET_ERRORS =
      Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
  private static final Pattern STATUS_ERRORS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");

  @Override
  public String name() {
    return "wrk";
  }

  @Override
  public @Nullable String refusal(LoadPlan plan) {
    if (!(plan.pace() instanceof Pace.Closed)) {
      return "no open load";
    }
    if (plan.wire().protocol() != Protocol.HTTP_1_1) {
      return "no HTTP/2";
    }
    if (plan.wire().requests() > 0) {
      return "it keeps connections";
    }
    return plan.wire().connections() <= MOST_CONNECTIONS
        ? null
        : "more than 1,000 connections, which it opens in the time that is measured";
  }

  /** wrk only accepts whole seconds. */
  @Override
  public Duration measured(Duration wanted) {
    return Duration.ofSeconds(Math.max(1, Math.round(wanted.toNanos() / 1e9)));
  }

  @Override
  public List<String> command(LoadPlan plan, Duration measured, Path folder) throws IOException {
    DriverRequest request = plan.request();
    List<String> command = new ArrayList<>(List.of(
        "wrk",
        "-t1",
        "-c" + plan.wire().connections(),
        "-d" + measured(measured).toSeconds() + "s",
        "--latency"));
    if (request.isPost()) {
      command.add("-s");
      command.add(script(request, folder).toString());
    }
    command.add(plan.uri().toString());
    return command;
  }

  /** Writes a Lua script, which wrk needs to send anything but a GET. */
  private static Path script(DriverRequest request, Path folder) throws IOException {
    String type = request.contentType();
    String text = type == null
        ? """
        wrk.method = "POST"
        wrk.body = string.rep("a", %d)
        """
            .formatted(request.contentLength())
        : """
        wrk.method = "POST"
        wrk.body = [[%s]]
        wrk.headers["Content-Type"] = "%s"
        """
            .formatted(new String(request.content(), StandardCharsets.US_ASCII), type);
    return Files.writeString(folder.resolve("post-" + request.contentLength() + ".lua"), text);
  }

  @Override
  public RunFigures figures(String output) throws IOException {
    return parse(output);
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
    return RunFigures.ofProgram(
        number(RATE, output) * answered / Math.max(1, requests),
        percentile(50, output),
        percentile(99, output),
        errors,
        answered,
        Tool.cpuSeconds(output) * 1e6 / answered);
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
