package heddle.cli;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.bench.drivers.heddle.HeddleDriver;
import heddle.bench.load.ErrorCause;
import heddle.bench.load.Extent;
import heddle.bench.load.Latency;
import heddle.bench.load.LoadListener;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.LoadProgress;
import heddle.bench.load.LoadReport;
import heddle.bench.load.LoadRunner;
import heddle.bench.load.Pace;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends many requests to one URL and tells how long the answers took. */
@Command(
    name = "load",
    description = "Send many requests to URL with Heddle's client and measure the answers.",
    sortOptions = false,
    footer = {
      "",
      "Without -r the load is closed: each caller sends when its last request was",
      "answered. With -r it is open: latency counts from the instant at which a",
      "request was meant to go."
    })
final class LoadCommand implements Callable<Integer> {

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "URL", description = "Such as http://127.0.0.1:8080/hello.")
  private String url = "";

  @Option(
      names = {"-c", "--concurrency"},
      paramLabel = "C",
      defaultValue = "64",
      description = "Callers, each a virtual thread (default 64).")
  private int concurrency;

  @Option(
      names = "--http",
      paramLabel = "1.1|2",
      defaultValue = "1.1",
      description = "The version to speak (default 1.1); 2 without TLS is spoken unasked.")
  private String http = "1.1";

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "At most so many (default: one for each caller over 1.1, one over 2).")
  private @Nullable Integer connections;

  @Option(
      names = "--post",
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "Send so many bytes in a POST instead of a GET.")
  private int postBytes;

  @Option(
      names = "--cacert",
      paramLabel = "FILE",
      description = "Take certificates that end in one of this PEM file.")
  private @Nullable Path trusted;

  @Option(
      names = {"-k", "--insecure"},
      description = "Take any certificate, for a server of your own.")
  private boolean insecure;

  @ArgGroup(multiplicity = "1")
  private Length length = new Length();

  @Option(
      names = {"-r", "--rate"},
      paramLabel = "RATE",
      description = "Requests a second, sent whether or not earlier ones were answered.")
  private @Nullable Double rate;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = SpanConverter.class,
      description = "Run this long before anything counts (default: not at all).")
  private Duration warmUp = Duration.ZERO;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON too.")
  private @Nullable Path json;

  private final Terminal terminal;

  LoadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** How long: one of the two. */
  private static final class Length {
    @Option(
        names = {"-n", "--requests"},
        required = true,
        paramLabel = "N",
        description = "Send this many requests.")
    private @Nullable Long requests;

    @Option(
        names = {"-d", "--duration"},
        required = true,
        paramLabel = "TIME",
        converter = SpanConverter.class,
        description = "Send for this long: 500ms, 10s, 2m.")
    private @Nullable Duration duration;
  }

  @Override
  public Integer call() throws Exception {
    LoadPlan plan = plan();
    Path file = json;
    if (file == null) {
      report(run(plan));
      return CommandLine.ExitCode.OK;
    }
    // Opened first: a place that cannot be written to is told before the load, not after it.
    try (OutputFile whole = OutputFile.open(file)) {
      LoadReport report = run(plan);
      LoadJson.write(report, whole.stream());
      whole.complete();
      report(report);
    }
    return CommandLine.ExitCode.OK;
  }

  private LoadReport run(LoadPlan plan) throws Exception {
    var listener = new LoadListener() {
      @Override
      public void progress(LoadProgress progress) {
        terminal.live(liveLine(progress));
      }
    };
    try {
      return new LoadRunner(new HeddleDriver()).run(plan, listener);
    } finally {
      terminal.endLive();
    }
  }

  private void report(LoadReport report) throws IOException {
    terminal.out().write(render(report).getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
    if (report.answered() == 0) {
      throw new IOException("no request was answered with a status of 200 to 299");
    }
  }

  /** Values that the engine refuses are wrong options, with the same text. */
  private LoadPlan plan() {
    try {
      Double perSecond = rate;
      Pace pace = perSecond == null
          ? new Pace.Closed(concurrency)
          : new Pace.Open(perSecond, concurrency, Pace.Arrivals.CONSTANT);
      DriverRequest request = new DriverRequest(new URI(url), postBytes, -1);
      Long requests = length.requests;
      Duration duration = length.duration;
      Extent extent;
      if (requests != null) {
        extent = new Extent.Requests(requests);
      } else if (duration != null) {
        extent = new Extent.Lasting(duration);
      } else {
        throw new IllegalArgumentException("give -n REQUESTS or -d DURATION");
      }
      return new LoadPlan(request, wire(), pace, extent, warmUp);
    } catch (IllegalArgumentException | URISyntaxException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Wire wire() {
    Trust trust = insecure
        ? new Trust.Everything()
        : trusted == null ? new Trust.Default() : new Trust.Pem(trusted);
    Integer number = connections;
    return switch (http) {
      case "1.1" -> Wire.http1(number == null ? concurrency : number).withTrust(trust);
      case "2" -> {
        int open = number == null ? 1 : number;
        // Rounded up, so that all callers together have a stream each.
        int streams = open < 1 ? 1 : (concurrency + open - 1) / open;
        yield Wire.http2(open, streams).withTrust(trust);
      }
      default -> throw new IllegalArgumentException("--http must be 1.1 or 2, not " + http);
    };
  }

  private static String liveLine(LoadProgress progress) {
    return String.format(
        Locale.ROOT,
        "%3.0f%%  %,d answered  %,.0f a second  %,d failed  %.1f s",
        progress.fraction() * 100,
        progress.answered(),
        progress.requestsPerSecond(),
        progress.failed(),
        progress.elapsed().toMillis() / 1e3);
  }

  static String render(LoadReport report) {
    var text = new StringBuilder();
    text.append(String.format(
        Locale.ROOT,
        "%,d answered in %.2f s, %,.0f a second, %,d bytes of content%n",
        report.answered(),
        report.duration().toNanos() / 1e9,
        report.requestsPerSecond(),
        report.bodyBytes()));
    if (report.answered() > 0) {
      boolean open = report.plan().pace() instanceof Pace.Open;
      appendLatency(text, open ? "latency from the intended start" : "latency", report.latency());
      if (open) {
        appendLatency(text, "sent late by", report.sendLag());
      }
    }
    if (!report.errors().isEmpty()) {
      text.append(String.format(Locale.ROOT, "%,d failed%n", report.failed()));
      for (ErrorCause error : report.errors()) {
        String example = error.example().isEmpty() ? "" : ", such as: " + error.example();
        text.append(
            String.format(Locale.ROOT, "  %,d %s%s%n", error.count(), error.cause(), example));
      }
    }
    return text.toString();
  }

  private static void appendLatency(StringBuilder text, String name, Latency latency) {
    text.append(name).append(", milliseconds").append(System.lineSeparator());
    text.append(String.format(
        Locale.ROOT,
        "  mean %.3f  p50 %.3f  p90 %.3f  p99 %.3f  p99.9 %.3f  max %.3f%n",
        latency.mean() / 1e3,
        latency.p50() / 1e3,
        latency.p90() / 1e3,
        latency.p99() / 1e3,
        latency.p999() / 1e3,
        latency.max() / 1e3));
  }
}
