package heddle.bench.routes;

import heddle.bench.gauge.Counts;
import heddle.bench.gauge.Gauges;
import heddle.bench.gauge.Peaks;
import heddle.bench.gauge.Sampler;
import heddle.load.LoadProgress;
import heddle.load.cluster.json.Json;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The counts of a server, which verify those of the clients. Safe for use by many threads. */
final class Counters {

  private static final int SECONDS_IN_HOUR = 3_600;

  private final LongAdder requests = new LongAdder();
  private final AtomicInteger active = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final AtomicInteger peakSinceLook = new AtomicInteger();
  private final Gauges gauges = new Gauges();
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Requests in progress at each second since the last call of {@link #look}, at most an hour of
   * them; guarded by the lock.
   */
  private final Deque<Integer> eachSecond = new ArrayDeque<>();

  /** When the first request since the last call of {@link #look} arrived; 0 before. */
  private volatile long firstNanos;

  /** When the peak since the last call of {@link #look} was reached. */
  private volatile long peakNanos;

  /** The counts after the last call of {@link #look}; guarded by the lock. */
  private Counts base = gauges.starting();

  /** Samples since the last call of {@link #look}; guarded by the lock. */
  private Sampler sampler = new Sampler(gauges::look);

  /** When that was; guarded by the lock. */
  private long lookedNanos = System.nanoTime();

  /** The requests in progress then; guarded by the lock. */
  private int activeThen;

  void begin() {
    requests.increment();
    int now = active.incrementAndGet();
    raise(peak, now);
    if (firstNanos == 0) {
      firstNanos = System.nanoTime();
    }
    if (raise(peakSinceLook, now)) {
      peakNanos = System.nanoTime();
    }
  }

  private static boolean raise(AtomicInteger most, int now) {
    return now > most.get() && most.accumulateAndGet(now, Math::max) == now;
  }

  void end() {
    active.decrementAndGet();
  }

  /** How many requests are being handled, and the peak so far. */
  String activity() {
    return "{\"active\":" + active.get() + ",\"peak\":" + peak.get() + "}";
  }

  /** Samples the process: its requests, memory, threads and CPU time. */
  void sample() {
    lock.lock();
    try {
      sampler.progress(progress());
    } finally {
      lock.unlock();
    }
  }

  /** Samples how many requests are being handled, once a second. */
  int sampleSecond() {
    int now = active.get();
    lock.lock();
    try {
      if (eachSecond.size() == SECONDS_IN_HOUR) {
        eachSecond.removeFirst();
      }
      eachSecond.addLast(now);
    } finally {
      lock.unlock();
    }
    return now;
  }

  private LoadProgress progress() {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - lookedNanos);
    int now = active.get();
    long ended = Math.max(0, requests.sum() + activeThen - now);
    return new LoadProgress(elapsed, 0, ended, 0, 0, now, 0);
  }

  /**
   * The counts and peaks since the last call. If there were any requests, runs a collection
   * afterwards to measure the live set; no count includes it.
   */
  String look() {
    lock.lock();
    try {
      Map<String, Object> fields = new LinkedHashMap<>();
      sampler.end(progress());
      long came = requests.sumThenReset();
      fields.put("requests", came);
      fields.put("active", active.get());
      fields.put("peak", peakSinceLook.getAndSet(active.get()));
      if (firstNanos != 0) {
        fields.put("peakAfterMillis", Math.max(0, peakNanos - firstNanos) / 1e6);
        firstNanos = 0;
      }
      fields.put("activeEachSecond", List.copyOf(eachSecond));
      eachSecond.clear();
      Counts counts = gauges.ending().since(base);
      fields.put("cpuNanos", counts.cpuNanos() - counts.compilerNanos());
      fields.put("allocatedBytes", counts.allocatedBytes());
      fields.put("gcCount", counts.gcCount());
      fields.put("gcMillis", counts.gcMillis());
      put(fields, "voluntarySwitches", counts.voluntarySwitches());
      put(fields, "involuntarySwitches", counts.involuntarySwitches());
      fields.put("averageHeapBytes", sampler.meanHeapBytes());
      put(fields, "committedHeapBytes", sampler.series().mostCommittedHeapBytes());
      fields.put("series", sampler.series());
      Peaks peaks = came == 0 ? gauges.takeIdlePeaks() : gauges.takePeaks();
      fields.put("peakHeapBytes", peaks.heapBytes());
      fields.put("gcMaxMillis", peaks.gcMaxMillis());
      fields.put("liveSetBytes", peaks.liveSetBytes());
      put(fields, "peakRssBytes", peaks.rssBytes());
      fields.put("platformThreads", peaks.platformThreads());
      base = gauges.starting();
      sampler = new Sampler(gauges::look);
      lookedNanos = System.nanoTime();
      activeThen = active.get();
      return Json.line(fields);
    } finally {
      lock.unlock();
    }
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Long value) {
    if (value != null) {
      fields.put(name, value);
    }
  }
}
