package heddle.bench.worker;

import static heddle.bench.result.RunFigures.put;

import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.Profile;
import heddle.bench.gauge.Counts;
import heddle.bench.gauge.Gauges;
import heddle.bench.gauge.Look;
import heddle.bench.gauge.Peaks;
import heddle.bench.gauge.Sampler;
import heddle.bench.result.Figure;
import heddle.bench.result.Outcome;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Series;
import heddle.load.ErrorCause;
import heddle.load.LoadListener;
import heddle.load.LoadPlan;
import heddle.load.LoadProgress;
import heddle.load.LoadReport;
import heddle.load.Pace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs one load and measures its cost in this JVM; all peaks are those of this load only. */
final class Measuring implements LoadListener {

  private final Gauges gauges;
  private final int port;
  private final boolean isClosed;
  private @Nullable Counts before;
  private @Nullable Counts cost;
  private @Nullable Sampler sampler;
  private @Nullable LoadProgress latest;
  private @Nullable Peaks peaks;
  private long began;
  private double seconds;
  private int connections = -1;

  private Measuring(Gauges gauges, LoadPlan plan) {
    this.gauges = gauges;
    this.port = new DriverConfig(plan.uri(), plan.wire(), Profile.TUNED).port();
    this.isClosed = plan.pace() instanceof Pace.Closed;
  }

  /** Runs the measured load. */
  @FunctionalInterface
  interface Runner {
    LoadReport run(LoadListener listener) throws Exception;
  }

  /**
   * Measures the load.
   *
   * @param sent the number of requests sent so far
   */
  static Outcome run(LoadPlan plan, Runner runner, Gauges gauges, LongSupplier sent)
      throws Exception {
    long live = gauges.forgetPeaks();
    Look idle = gauges.look();
    long sentBefore = sent.getAsLong();
    Measuring window = new Measuring(gauges, plan);
    LoadReport load = runner.run(window);
    Map<Figure, Double> figures = ReportFigures.of(load);
    figures.put(Figure.SENT, (double) (sent.getAsLong() - sentBefore));
    window.putCost(figures, ReportFigures.requests(load));
    Peaks found = window.peaks == null ? gauges.peaks() : window.peaks;
    putPeaks(figures, found);
    putHeld(figures, load.held(), live, idle, found);
    figures.put(Figure.IDLE_THREADS, (double) gauges.idleThreads());
    Map<String, Long> errors = new LinkedHashMap<>();
    for (ErrorCause error : load.errors()) {
      errors.merge(error.cause(), error.count(), Long::sum);
    }
    return new Outcome(
        new RunFigures(figures, errors),
        load.doubts(),
        ReportFigures.recording(load, window.series()));
  }

  private Series series() {
    return sampler == null ? Series.NONE : sampler.series();
  }

  private void putCost(Map<Figure, Double> figures, double requests) {
    Counts spent = cost;
    if (spent == null) {
      return;
    }
    long client = Math.max(0, spent.cpuNanos() - spent.compilerNanos());
    figures.put(Figure.CPU, client / 1e3 / requests);
    if (seconds > 0) {
      figures.put(Figure.CPU_CORES, spent.cpuNanos() / 1e9 / seconds);
    }
    if (sampler != null && sampler.meanHeapBytes() > 0) {
      figures.put(Figure.MEAN_HEAP, sampler.meanHeapBytes());
    }
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

  /** The memory of requests that have ended cannot be measured. */
  private static void putHeld(
      Map<Figure, Double> figures,
      LoadReport.@Nullable Held held,
      long live,
      Look idle,
      Peaks peaks) {
    if (held == null || held.most() == 0) {
      return;
    }
    if (held.atEnd() > 0) {
      double grown = Math.max(0, peaks.liveSetBytes() - live);
      figures.put(Figure.HELD_HEAP, grown / held.atEnd());
    }
    Long rss = peaks.rssBytes();
    if (rss != null && idle.rssBytes() != null) {
      figures.put(Figure.HELD_RSS, (double) Math.max(0, rss - idle.rssBytes()) / held.most());
    }
  }

  @Override
  public void measuring() {
    sampler = new Sampler(gauges::look);
    before = gauges.starting();
    began = System.nanoTime();
  }

  @Override
  public void progress(LoadProgress progress) {
    latest = progress;
    if (sampler != null) {
      sampler.progress(progress);
    }
  }

  /** Takes slow measurements last, but before the client is closed. */
  @Override
  public void measured() {
    Counts then = before;
    if (then != null) {
      cost = gauges.ending().since(then);
      seconds = (System.nanoTime() - began) / 1e9;
    }
    if (sampler != null && latest != null) {
      sampler.end(latest);
    }
    try {
      connections = Sockets.openTo(port);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot count the connections of the client", e);
    }
    // Callers of a closed load are still ending; the client of any other load is closed next.
    if (!isClosed) {
      peaks = gauges.peaks();
    }
  }
}
