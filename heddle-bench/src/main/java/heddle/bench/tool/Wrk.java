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
    long requests = Long.parseLong(find(COUNT, output).group(1));
    Map<String, Long> errors = new LinkedHashMap<>();
    Matcher socket = SOCKET_ERRORS.matcher(output);
    if (socket.find()) {
      String[] kinds = {"connect", "read", "write", "timeout"};
      for (int i = 0; i < kinds.length; i++) {
        Tool.note(errors, kinds[i], Long.parseLong(socket.group(i + 1)));
      }
    }
    Matcher status = STATUS_ERRORS.matcher(output);
    long refused = status.find() ? Long.parseLong(status.group(1)) : 0;
    Tool.note(errors, "status", refused);
    long answered = Math.max(1, requests - refused);
    return RunFigures.ofProgram(
        Double.parseDouble(find(RATE, output).group(1)) * answered / Math.max(1, requests),
        percentile(50, output),
        percentile(99, output),
        errors,
        answered,
        Tool.cpuSeconds(output) * 1e6 / answered);
  }

  private double percentile(int percent, String output) throws IOException {
    Pattern latency = Pattern.compile("\\b" + percent + "%\\s+([0-9.]+)(us|ms|s|m)\\b");
    Matcher found = find(latency, output);
    double unit =
        switch (found.group(2)) {
          case "us" -> 1;
          case "ms" -> 1e3;
          case "s" -> 1e6;
          default -> 60e6;
        };
    return Double.parseDouble(found.group(1)) * unit;
  }
}
