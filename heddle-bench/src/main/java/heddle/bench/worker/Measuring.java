package heddle.bench.worker;

import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.Profile;
import heddle.bench.load.ErrorCause;
import heddle.bench.load.LoadListener;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.LoadReport;
import heddle.bench.load.LoadRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs one load and looks at what it costs this JVM: all peaks are those of this load alone. */
final class Measuring implements LoadListener {

  private final Gauges gauges;
  private final int port;
  private long cpuNanos;
  private long allocatedBytes;
  private int connections;

  private Measuring(Gauges gauges, int port) {
    this.gauges = gauges;
    this.port = port;
  }

  static WorkerReport run(LoadPlan plan, Profile profile, Driver driver, Gauges gauges)
      throws Exception {
    gauges.forgetPeaks();
    int port = new DriverConfig(plan.uri(), plan.wire(), profile).port();
    Measuring window = new Measuring(gauges, port);
    LoadReport load = new LoadRunner(driver, profile).run(plan, window);
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
        window.allocatedBytes / requests,
        heap,
        gauges.peakHeapAfterGcBytes(),
        rss,
        gauges.peakThreads(),
        gauges.idleThreads(),
        window.connections);
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
    cpuNanos = -gauges.cpuNanos();
    allocatedBytes = -gauges.allocatedBytes();
  }

  /** Connections are counted after the rest, and before the client is closed. */
  @Override
  public void measured() {
    cpuNanos += gauges.cpuNanos();
    allocatedBytes += gauges.allocatedBytes();
    try {
      connections = Sockets.openTo(port);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot count the connections of the client", e);
    }
  }
}
