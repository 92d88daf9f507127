package heddle.bench.worker;

import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.Profile;
import heddle.bench.load.ErrorCause;
import heddle.bench.load.LoadListener;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.LoadReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs one load and looks at what it costs this JVM: all peaks are those of this load alone. */
final class Measuring implements LoadListener {

  private final Gauges gauges;
  private final int port;
  private long cpuNanos;
  private long compilerNanos;
  private long allocatedBytes;
  private int connections;

  private Measuring(Gauges gauges, int port) {
    this.gauges = gauges;
    this.port = port;
  }

  /** Whoever runs the load that is measured. */
  @FunctionalInterface
  interface Runner {
    LoadReport run(LoadListener listener) throws Exception;
  }

  static WorkerReport run(LoadPlan plan, Runner runner, Gauges gauges) throws Exception {
    gauges.forgetPeaks();
    Measuring window = new Measuring(gauges, port(plan));
    LoadReport load = runner.run(window);
    Map<String, Long> errors = new LinkedHashMap<>();
    for (ErrorCause error : load.errors()) {
      errors.put(error.cause(), error.count());
    }
    double requests = Math.max(1, load.answered());
    // Before the last collection, which would add to the resident set.
    long rss = gauges.peakRssBytes();
    long heap = gauges.peakHeapBytes();
    return new WorkerReport(
        load.requestsPerSecond(),
        load.latency().p50(),
        load.latency().p99(),
        load.answered(),
        errors,
        example(load),
        window.cpuNanos / 1e3 / requests,
        (double) window.compilerNanos / Math.max(1, window.cpuNanos),
        window.allocatedBytes / requests,
        heap,
        gauges.peakHeapAfterGcBytes(),
        rss,
        gauges.peakThreads(),
        gauges.idleThreads(),
        window.connections);
  }

  private static int port(LoadPlan plan) {
    return new DriverConfig(plan.uri(), plan.wire(), Profile.TUNED).port();
  }

  private static String example(LoadReport load) {
    if (load.errors().isEmpty()) {
      return "";
    }
    ErrorCause first = load.errors().getFirst();
    return first.example().isEmpty() ? first.cause() : first.cause() + ": " + first.example();
  }

  @Override
  public void measuring() {
    compilerNanos = -gauges.compilerNanos();
    cpuNanos = -gauges.cpuNanos();
    allocatedBytes = -gauges.allocatedBytes();
  }

  /** What takes time to find out comes after the rest, and before the client is closed. */
  @Override
  public void measured() {
    cpuNanos += gauges.cpuNanos();
    allocatedBytes += gauges.allocatedBytes();
    compilerNanos += gauges.compilerNanos();
    try {
      connections = Sockets.openTo(port);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot count the connections of the client", e);
    }
  }
}
