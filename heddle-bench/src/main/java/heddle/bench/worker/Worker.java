package heddle.bench.worker;

import heddle.bench.driver.Driver;
import heddle.bench.driver.Profile;
import heddle.bench.load.ErrorCause;
import heddle.bench.load.LoadListener;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.LoadReport;
import heddle.bench.load.LoadRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Runs loads, one after the other, with one of the drivers on the class path. */
public final class Worker {

  private static final int MAX_PIN_TRIES = 20;

  private Worker() {}

  /** Reads a {@link WorkerTask}, prints a {@link WorkerReport} for each of its loads. */
  public static void main(String[] args) throws Exception {
    WorkerTask task = WorkerTask.parse(List.of(args));
    Gauges gauges = new Gauges();
    for (LoadPlan plan : task.warmUps()) {
      new LoadRunner(driver(task.client()), task.profile()).run(plan, LoadListener.NONE);
    }
    if (!task.cores().isEmpty()) {
      pin(task.cores());
    }
    for (LoadPlan plan : task.plans()) {
      gauges.forgetPeaks();
      WorkerReport report = run(plan, task.profile(), driver(task.client()), gauges);
      System.out.println(report.toJson());
    }
    System.out.flush();
    // A client that leaves threads behind must not keep the race waiting.
    System.exit(0);
  }

  /**
   * Pins all threads there are; those to come inherit it. A thread that ends between being listed
   * and being pinned makes taskset give up, so it may take another try.
   */
  private static void pin(List<Integer> cores) throws IOException, InterruptedException {
    String list = cores.stream().map(String::valueOf).collect(Collectors.joining(","));
    String self = String.valueOf(ProcessHandle.current().pid());
    String said = "";
    for (int tries = 0; tries < MAX_PIN_TRIES; tries++) {
      Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", list, self)
          .redirectErrorStream(true)
          .start();
      said = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (taskset.waitFor() == 0) {
        return;
      }
    }
    throw new IOException("cannot pin the worker to the cores " + list + ": " + said);
  }

  private static Driver driver(String name) {
    List<String> found = new ArrayList<>();
    for (Driver each : ServiceLoader.load(Driver.class)) {
      if (each.name().equals(name)) {
        return each;
      }
      found.add(each.name());
    }
    throw new IllegalStateException(
        "there is no driver " + name + " on the worker's class path, only " + found);
  }

  static WorkerReport run(LoadPlan plan, Profile profile, Driver driver, Gauges gauges)
      throws Exception {
    Window window = new Window(gauges);
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
        driver.name(),
        driver.version(),
        load.requestsPerSecond(),
        load.latency().p50(),
        load.latency().p99(),
        load.answered(),
        errors,
        window.cpuNanos / 1e3 / requests,
        window.allocatedBytes / requests,
        heap,
        gauges.peakHeapAfterGcBytes(),
        rss,
        gauges.peakThreads(),
        gauges.idleThreads());
  }

  /** CPU and allocation between the start and the end of the measured part. */
  private static final class Window implements LoadListener {

    private final Gauges gauges;
    private long cpuNanos;
    private long allocatedBytes;

    Window(Gauges gauges) {
      this.gauges = gauges;
    }

    @Override
    public void measuring() {
      cpuNanos = -gauges.cpuNanos();
      allocatedBytes = -gauges.allocatedBytes();
    }

    @Override
    public void measured() {
      cpuNanos += gauges.cpuNanos();
      allocatedBytes += gauges.allocatedBytes();
    }
  }
}
