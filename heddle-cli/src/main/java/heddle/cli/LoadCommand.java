package heddle.cli;

import heddle.bench.client.Calibration;
import heddle.bench.client.HttpTarget;
import heddle.cli.live.Audience;
import heddle.cli.live.LiveOptions;
import heddle.cli.live.LoadView;
import heddle.cli.live.Painter;
import heddle.cli.live.Screen;
import heddle.cli.machine.MachineChecks;
import heddle.cli.machine.Need;
import heddle.cli.machine.Readings;
import heddle.cli.otlp.LoadExport;
import heddle.cli.otlp.OtlpOptions;
import heddle.cli.otlp.OtlpSettings;
import heddle.cli.value.SpanConverter;
import heddle.http.MalformedUrlException;
import heddle.http.Request;
import heddle.load.Extent;
import heddle.load.Load;
import heddle.load.LoadListener;
import heddle.load.LoadReport;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.cluster.crew.Following;
import heddle.load.cluster.crew.LineChannel;
import heddle.load.cluster.merge.LoadResult;
import heddle.load.goal.LoadFigures;
import heddle.load.goal.Slo;
import heddle.load.record.IntervalLog;
import heddle.load.schedule.Segment;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends many requests and tells how long the answers took. */
@Command(
    name = "load",
    description = "Send many requests to URL with Heddle's client and measure the answers.",
    sortOptions = false,
    footer = {
      "",
      "Without -r the load is closed: each caller sends when its last request was",
      "answered. With -r it is open: latency counts from the instant at which a",
      "request was meant to go. Ctrl-C ends a load early, with a partial report.",
      "Exit codes: 99 a goal (--slo) was missed, 98 the generator itself fell behind."
    })
final class LoadCommand implements Callable<Integer> {

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Mixin
  private LoadTarget target = new LoadTarget();

  @Mixin
  private LoadPacing pacing = new LoadPacing();

  @Mixin
  private LoadSharing sharing = new LoadSharing();

  @Option(
      names = "--slo",
      paramLabel = "GOAL",
      description = "A goal such as p99<50ms, errors<0.1%% or rate>=1000; may be given several"
          + " times. Exits with 99 when one is missed.")
  private List<String> goals = List.of();

  @Option(
      names = "--max-lag",
      paramLabel = "TIME",
      converter = SpanConverter.class,
      description = "With a rate: invalid where one request in a hundred is sent later (10ms).")
  private Duration maxLag = Duration.ofMillis(10);

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures as JSON too, for heddle merge among others; - to standard"
          + " output, and the report to standard error.")
  private @Nullable Path json;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write the figures as CSV too.")
  private @Nullable Path csv;

  @Option(
      names = "--hdr",
      paramLabel = "FILE",
      description = "Write an interval log of HdrHistogram (.hlog) too, a line a second.")
  private @Nullable Path hdr;

  @Mixin
  private OtlpOptions otlp = new OtlpOptions();

  @Mixin
  private LiveOptions live = new LiveOptions();

  @Option(
      names = "--calibrate",
      description = "Send nothing, and tell what the generator itself costs for each request.")
  private boolean calibrate;

  @Option(names = "-t", hidden = true, arity = "0..1")
  private @Nullable String threads;

  private final Terminal terminal;

  LoadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (threads != null) {
      throw wrong("-t is not taken: callers need no threads to be counted, give -c for how many;"
          + " for what hey and oha call -t, give --timeout");
    }
    if (calibrate) {
      return calibrate();
    }
    Asked asked = check();
    if (!sharing.isMember() && sharing.addresses().isEmpty()) {
      new MachineChecks(Readings.now()).require(need(asked.shape, asked.requests), terminal::tell);
    }
    return sharing.isShared() ? runByWorkers(asked) : run(asked);
  }

  /** What the options say. */
  private record Asked(
      LoadShape shape, List<Request> requests, List<Slo> slos, @Nullable OtlpSettings metrics) {}

  /**
   * Reads the options.
   *
   * @throws CommandLine.ParameterException when one is wrong, or they do not go together
   * @throws IOException when a file that one names cannot be read
   */
  void requireSound() throws IOException {
    var _ = check();
  }

  private Asked check() throws IOException {
    try {
      List<Slo> slos = goals.stream().map(Slo::parse).toList();
      LoadFigures.require(slos);
      Segment segment = sharing.segment();
      LoadShape shape = pacing.shape(segment);
      var _ = sharing.startAt();
      List<Request> requests = target.requests();
      var _ = target.tls();
      // As each worker has it, so that a load that cannot be shared is refused before they start.
      var _ = target.wire(shape.withSegment(segment.part(1, sharing.workers())));
      return new Asked(shape, requests, slos, otlp.settings());
    } catch (IllegalArgumentException
        | MalformedUrlException
        | CommandLine.TypeConversionException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Need need(LoadShape shape, List<Request> requests) {
    LoadShape ofWorker = shape.withSegment(shape.segment().part(1, sharing.workers()));
    boolean isLocal =
        requests.stream().anyMatch(each -> Need.isLoopback(each.origin().host()));
    return new Need(connections(ofWorker), connections(shape), isLocal);
  }

  /** No more than requests that are in flight at once, or are made at all. */
  private int connections(LoadShape shape) {
    int most = Math.min(target.wire(shape).connections(), shape.ownPace().inFlight());
    return shape.extent() instanceof Extent.Requests(long count)
        ? (int) Math.min(most, count)
        : most;
  }

  private CommandLine.ParameterException wrong(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  /**
   * Opens the files first, so that one that cannot be written fails the command before the load.
   */
  private int run(Asked asked) throws Exception {
    LoadShape shape = asked.shape;
    LoadView view = new LoadView(target.title(shape, asked.requests));
    Screen screen = live.screen(terminal.err(), terminal.interactive());
    Consumer<String> aside = screen == null ? terminal::tell : view::note;
    try (LoadFiles files = LoadFiles.open(terminal, json, csv, hdr);
        HttpTarget opened = target.open(shape, asked.requests);
        Interrupted interrupted = new Interrupted();
        LoadExport export = asked.metrics == null
            ? null
            : new LoadExport(asked.metrics, asked.requests, aside, terminal::tell)) {
      Following member =
          sharing.isMember() ? new Following(new LineChannel(terminal.in(), terminal.out())) : null;
      LoadListener watching = member == null ? view : member;
      Load load = load(shape, opened, files.log())
          .listener(export == null ? watching : new Audience(List.of(watching, export)));
      interrupted.stops(load::stop);
      Instant begin = member == null
          ? sharing.startAt()
          // Without a parent process the load would have no reader and would not be stopped.
          : member.awaitStart(load::stop, () -> Runtime.getRuntime().halt(1));
      if (begin != null) {
        load.startAt(begin);
      }
      LoadReport report;
      try (var _ = Painter.start(screen, view)) {
        report = load.run();
      }
      if (export != null) {
        export.ended(report);
      }
      Map<String, Object> what = target.asMap(shape, asked.requests);
      LoadResult result = LoadResult.ofThisProcess(what, report);
      if (member != null) {
        files.write(result, List.of());
        member.report(result);
        return code(report, List.of());
      }
      return finish(files, result, asked.slos, live.isQuiet());
    }
  }

  private int runByWorkers(Asked asked) throws Exception {
    LoadView view = new LoadView(target.title(asked.shape, asked.requests));
    Screen screen = live.screen(terminal.err(), terminal.interactive());
    try (LoadFiles files = LoadFiles.open(terminal, json, csv, hdr);
        LoadWorkers workers = workers(asked.shape.segment());
        Interrupted interrupted = new Interrupted()) {
      interrupted.stops(workers::stop);
      LoadResult result;
      try (var _ = Painter.start(screen, view)) {
        result = workers.run(sharing.startAt(), view);
      }
      files.writeLog(workers.logs());
      int code = finish(files, result, asked.slos, live.isQuiet());
      workers.requireAll();
      return code;
    }
  }

  private LoadWorkers workers(Segment segment) throws IOException {
    CommandLine.ParseResult given = spec.commandLine().getParseResult();
    List<InetSocketAddress> addresses = sharing.addresses();
    if (addresses.isEmpty()) {
      return LoadWorkers.start(given, segment, sharing.workers(), hdr != null);
    }
    if (hdr != null) {
      throw wrong("--hdr is not collected from other hosts: leave it out; --json has all recorded"
          + " values in its histograms");
    }
    try {
      return LoadWorkers.connect(given, segment, addresses, sharing.secret(), terminal::tell);
    } catch (IllegalArgumentException e) {
      throw wrong("--workers: " + e.getMessage());
    }
  }

  /** Writes the result to all who are to have it; returns the exit code. */
  static int finish(LoadFiles files, LoadResult result, List<Slo> slos, boolean isBrief)
      throws IOException {
    List<Slo.Verdict> verdicts =
        slos.stream().map(slo -> slo.check(LoadFigures.of(result.report()))).toList();
    files.write(result, verdicts);
    files.print(isBrief ? LoadText.brief(result.report()) : LoadText.render(result));
    for (Slo.Verdict verdict : verdicts) {
      files.print(verdict + System.lineSeparator());
    }
    return code(result.report(), verdicts);
  }

  private Load load(LoadShape shape, HttpTarget opened, @Nullable IntervalLog log) {
    Load load = Load.of(opened.exchange(shape.segment()))
        .shape(shape)
        .classifier(HttpTarget.classifier())
        .maxLag(maxLag)
        .patience(target.timeout(shape).plusSeconds(5));
    return log == null ? load : load.intervalLog(log);
  }

  private static int code(LoadReport report, List<Slo.Verdict> verdicts) throws IOException {
    if (!report.isValid()) {
      return Verdicts.INVALID;
    }
    if (verdicts.stream().anyMatch(verdict -> !verdict.isMet())) {
      return Verdicts.MISSED;
    }
    boolean hasNoShare = !report.shape().segment().isWhole() && report.failed() == 0;
    if (report.answered() == 0
        && !hasNoShare
        && verdicts.isEmpty()
        && !(report.shape().pace() instanceof Pace.Held)) {
      throw new IOException("no request was answered with a status of 200 to 299");
    }
    return CommandLine.ExitCode.OK;
  }

  private int calibrate() throws IOException, InterruptedException {
    List<Calibration> all = pacing.calibrations();
    for (Calibration each : all) {
      terminal.print(LoadText.render(each));
    }
    boolean isValid = all.stream().allMatch(each -> each.doubts().isEmpty());
    return isValid ? CommandLine.ExitCode.OK : Verdicts.INVALID;
  }
}
