package heddle.bench.worker;

import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.Profile;
import heddle.bench.gauge.Counts;
import heddle.bench.gauge.Gauges;
import heddle.bench.gauge.Peaks;
import heddle.bench.load.ErrorCause;
import heddle.bench.load.LoadListener;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.LoadReport;
import heddle.bench.load.Pace;
import heddle.bench.record.Failure;
import heddle.bench.result.FailedRequests;
import heddle.bench.result.Figure;
import heddle.bench.result.Recording;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Series;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs one load and looks at what it costs this JVM: all peaks are those of this load alone. */
final class Measuring implements LoadListener {

  private final Gauges gauges;
  private final int port;
  private @Nullable Counts before;
  private @Nullable Counts cost;
  private int connections = -1;

  private Measuring(Gauges gauges, int port) {
    this.gauges = gauges;
    this.port = port;
  }

  /** Whoever runs the load that is measured. */
  @FunctionalInterface
  interface Runner {
    LoadReport run(LoadListener listener) throws Exception;
  }

  /**
   * Measures the load.
   *
   * @param sent how many requests were sent so far
   */
  static WorkerReport run(LoadPlan plan, Runner runner, Gauges gauges, LongSupplier sent)
      throws Exception {
    gauges.forgetPeaks();
    long sentBefore = sent.getAsLong();
    Measuring window = new Measuring(gauges, port(plan));
    LoadReport load = runner.run(window);
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.SENT, (double) (sent.getAsLong() - sentBefore));
    boolean isOpen = plan.pace() instanceof Pace.Open;
    putLoad(figures, load, isOpen);
    window.putCost(figures, (double) Math.max(1, load.answered()));
    putPeaks(figures, gauges.peaks());
    figures.put(Figure.IDLE_THREADS, (double) gauges.idleThreads());
    Map<String, Long> errors = new LinkedHashMap<>();
    for (ErrorCause error : load.errors()) {
      errors.merge(error.cause(), error.count(), Long::sum);
    }
    return new WorkerReport(
        new RunFigures(figures, errors), example(load), load.doubts(), recording(load));
  }

  private static Recording recording(LoadReport load) {
    List<FailedRequests> failures = new ArrayList<>();
    for (ErrorCause error : load.errors()) {
      failures.add(new FailedRequests(
          error.count(), new Failure(error.kind(), error.phase(), error.cause(), error.example())));
    }
    LoadReport.Recorded recorded = load.recorded();
    return new Recording(
        recorded.response(),
        recorded.service(),
        recorded.sendLag(),
        Series.NONE,
        failures,
        List.of());
  }

  private static int port(LoadPlan plan) {
    return new DriverConfig(plan.uri(), plan.wire(), Profile.TUNED).port();
  }

  private static void putLoad(Map<Figure, Double> figures, LoadReport load, boolean isOpen) {
    figures.put(Figure.RATE, load.requestsPerSecond());
    figures.put(Figure.ANSWERED, (double) load.answered());
    if (load.answered() > 0) {
      figures.put(Figure.P50, load.latency().p50());
      figures.put(Figure.P99, load.latency().p99());
    }
    if (isOpen) {
      figures.put(Figure.SEND_LAG_P99, load.sendLag().p99());
    }
  }

  private void putCost(Map<Figure, Double> figures, double requests) {
    Counts spent = cost;
    if (spent == null) {
      return;
    }
    figures.put(Figure.CPU, spent.cpuNanos() / 1e3 / requests);
    figures.put(Figure.COMPILING, (double) spent.compilerNanos() / Math.max(1, spent.cpuNanos()));
    figures.put(Figure.ALLOCATED, spent.allocatedBytes() / requests);
    figures.put(Figure.GC_COUNT, (double) spent.gcCount());
    figures.put(Figure.GC_MILLIS, (double) spent.gcMillis());
    put(figures, Figure.VOLUNTARY_SWITCHES, spent.voluntarySwitches(), requests);
    put(figures, Figure.INVOLUNTARY_SWITCHES, spent.involuntarySwitches(), requests);
    put(figures, Figure.SOCKETS_OPENED, spent.connectionsBegun(), 1);
    if (connections >= 0) {
      figures.put(Figure.CONNECTIONS, (double) connections);
    }
  }

  private static void putPeaks(Map<Figure, Double> figures, Peaks peaks) {
    figures.put(Figure.PEAK_HEAP, (double) peaks.heapBytes());
    figures.put(Figure.HEAP_AFTER_GC, (double) peaks.heapAfterGcBytes());
    figures.put(Figure.LIVE_SET, (double) peaks.liveSetBytes());
    put(figures, Figure.PEAK_RSS, peaks.rssBytes(), 1);
    figures.put(Figure.GC_MAX_MILLIS, (double) peaks.gcMaxMillis());
    figures.put(Figure.THREADS, (double) peaks.platformThreads());
  }

  private static void put(
      Map<Figure, Double> figures, Figure figure, @Nullable Long value, double requests) {
    if (value != null) {
      figures.put(figure, value / requests);
    }
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
    before = gauges.starting();
  }

  /** What takes time to find out comes after the rest, and before the client is closed. */
  @Override
  public void measured() {
    Counts began = before;
    if (began != null) {
      cost = gauges.ending().since(began);
    }
    try {
      connections = Sockets.openTo(port);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot count the connections of the client", e);
    }
  }
}
