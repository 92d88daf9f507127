package heddle.bench.tool;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Protocol;
import heddle.bench.result.RunFigures;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import java.io.IOException;
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
 * h2load of nghttp2, a load generator for HTTP/2 on one thread. It prints no percentiles of the
 * latency unless it logs every request, which would cost more than the request.
 */
public final class H2load implements Tool {

  /** Long enough for a CPU time that the shell counts in hundredths of a second. */
  private static final Duration SHORTEST = Duration.ofMillis(600);

  private static final Pattern RATE = Pattern.compile("finished in [^,]+, ([0-9.]+) req/s");
  private static final Pattern REQUESTS = Pattern.compile("requests: \\d+ total, \\d+ started, "
      + "\\d+ done, (\\d+) succeeded, (\\d+) failed, (\\d+) errored, (\\d+) timeout");
  private static final Pattern STATUSES =
      Pattern.compile("status codes: (\\d+) 2xx, (\\d+) 3xx, (\\d+) 4xx, (\\d+) 5xx");

  @Override
  public String name() {
    return "h2load";
  }

  @Override
  public @Nullable String refusal(LoadPlan plan) {
    if (!(plan.pace() instanceof Pace.Closed)) {
      return "no open load";
    }
    return plan.wire().protocol() == Protocol.HTTP_2 ? null : "raced over HTTP/2 only";
  }

  @Override
  public Duration measured(Duration wanted) {
    return wanted.compareTo(SHORTEST) < 0 ? SHORTEST : wanted;
  }

  @Override
  public List<String> command(LoadPlan plan, Duration measured, Path folder) throws IOException {
    List<String> command = new ArrayList<>(List.of(
        name(),
        "-t1",
        "-c" + plan.wire().connections(),
        "-m" + plan.wire().streams(),
        "--duration=" + measured(measured).toMillis() + "ms"));
    DriverRequest request = plan.request();
    if (request.isPost()) {
      Path content = folder.resolve("content-" + request.contentLength());
      Files.write(content, request.content());
      command.add("--data=" + content);
      String type = request.contentType();
      if (type != null) {
        command.add("--header=content-type: " + type);
      }
    }
    command.add(plan.uri().toString());
    return command;
  }

  @Override
  public RunFigures figures(String output) throws IOException {
    Matcher rate = find(RATE, output);
    Matcher requests = find(REQUESTS, output);
    Matcher statuses = find(STATUSES, output);
    long answered = Long.parseLong(requests.group(1));
    Map<String, Long> errors = new LinkedHashMap<>();
    Tool.note(errors, "errored", Long.parseLong(requests.group(3)));
    Tool.note(errors, "timeout", Long.parseLong(requests.group(4)));
    for (int kind = 3; kind <= 5; kind++) {
      Tool.note(errors, "status " + kind + "xx", Long.parseLong(statuses.group(kind - 1)));
    }
    return RunFigures.ofProgram(
        Double.parseDouble(rate.group(1)),
        null,
        null,
        errors,
        answered,
        Tool.cpuSeconds(output) * 1e6 / Math.max(1, answered));
  }
}
