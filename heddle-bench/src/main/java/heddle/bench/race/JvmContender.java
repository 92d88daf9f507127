package heddle.bench.race;

import heddle.bench.driver.Profile;
import heddle.bench.load.Extent;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.Pace;
import heddle.bench.result.RunFigures;
import heddle.bench.worker.WorkerAnswer;
import heddle.bench.worker.WorkerOrder;
import heddle.bench.worker.WorkerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client in a JVM of its own, which lives through the whole race. It runs on every core until it
 * is warm, so that the compiler has room, and is pinned then.
 */
final class JvmContender implements Contender {

  /** How long an order may take beyond its load; the load itself waits 20 s for late answers. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** An open load waits for late answers for a minute. */
  private static final Duration OPEN_PATIENCE = Duration.ofSeconds(70);

  private final String name;
  private final Path folder;
  private final Profile profile;
  private final List<Integer> cores;
  private @Nullable WorkerProcess worker;
  private String version = "unknown";
  private String example = "";

  JvmContender(String name, Path folder, Profile profile, List<Integer> cores) {
    this.name = name;
    this.folder = folder;
    this.profile = profile;
    this.cores = List.copyOf(cores);
  }

  @Override
  public String name() {
    return name;
  }

  /** Of the client; known once the worker has started. */
  String version() {
    return version;
  }

  /** What a failed request of the last run said; empty where none has failed. */
  String exampleOfError() {
    return example;
  }

  /** Starts the JVM, in place of one that may still run. */
  void start(Runnable tick) throws IOException, InterruptedException {
    close();
    WorkerProcess.Started started =
        WorkerProcess.start(Jvm.worker(folder, name, profile, cores.size()), tick);
    worker = started.process();
    version = started.hello().version();
  }

  @Override
  public @Nullable String refusal(LoadPlan plan) throws IOException, InterruptedException {
    WorkerAnswer answer = started().ask(new WorkerOrder.Prepare(plan), PATIENCE, () -> {});
    return answer instanceof WorkerAnswer.Refusal(String reason) ? reason : null;
  }

  void warmUp(LoadPlan plan, Runnable tick) throws IOException, InterruptedException {
    expectDone(started().ask(new WorkerOrder.WarmUp(plan), patience(plan), tick));
  }

  void pin() throws IOException, InterruptedException {
    if (!cores.isEmpty()) {
      expectDone(started().ask(new WorkerOrder.Pin(cores), PATIENCE, () -> {}));
    }
  }

  private static void expectDone(WorkerAnswer answer) throws IOException {
    if (answer instanceof WorkerAnswer.Failure(String cause)) {
      throw new IOException(cause);
    }
  }

  @Override
  public RunFigures measure(LoadPlan plan, Runnable tick) throws IOException, InterruptedException {
    WorkerAnswer answer = started().ask(new WorkerOrder.Measure(plan), patience(plan), tick);
    return switch (answer) {
      case WorkerAnswer.Measured(WorkerReport report) -> figures(report);
      case WorkerAnswer.Failure(String cause) -> throw new IOException(cause);
      default -> throw new IOException("the worker answered " + answer);
    };
  }

  private RunFigures figures(WorkerReport report) throws IOException {
    if (report.answered() == 0) {
      throw new IOException("no request was answered: "
          + (report.exampleOfError().isEmpty()
              ? "none ended within the time measured"
              : report.exampleOfError()));
    }
    example = report.exampleOfError();
    return new RunFigures(
        report.requestsPerSecond(),
        report.p50Micros(),
        report.p99Micros(),
        report.errorsByCause(),
        report.cpuMicrosPerRequest(),
        report.allocatedBytesPerRequest(),
        (double) report.peakHeapBytes(),
        (double) report.heapAfterGcBytes(),
        known(report.peakRssBytes()),
        (double) report.platformThreads(),
        (double) report.idleJvmThreads(),
        known(report.connections()));
  }

  private static @Nullable Double known(long value) {
    return value < 0 ? null : (double) value;
  }

  private static Duration patience(LoadPlan plan) {
    Duration measured =
        switch (plan.extent()) {
          case Extent.Lasting(Duration duration) -> duration;
          case Extent.Requests _ ->
            throw new IllegalArgumentException("a race measures for a time, not " + plan);
        };
    return plan.warmUp()
        .plus(measured)
        .plus(plan.pace() instanceof Pace.Open ? OPEN_PATIENCE : PATIENCE);
  }

  private WorkerProcess started() throws IOException {
    WorkerProcess running = worker;
    if (running == null) {
      throw new WorkerLostException("its JVM has not started");
    }
    return running;
  }

  @Override
  public void close() {
    if (worker != null) {
      worker.close();
      worker = null;
    }
  }
}
