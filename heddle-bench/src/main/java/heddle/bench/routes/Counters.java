package heddle.bench.routes;

import heddle.bench.gauge.Counts;
import heddle.bench.gauge.Gauges;
import heddle.bench.gauge.Peaks;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** What a server counts by itself, so that nobody need trust the clients. For many threads. */
final class Counters {

  private final LongAdder requests = new LongAdder();
  private final AtomicInteger active = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final AtomicInteger peakSinceLook = new AtomicInteger();
  private final Gauges gauges = new Gauges();

  void begin() {
    requests.increment();
    int now = active.incrementAndGet();
    raise(peak, now);
    raise(peakSinceLook, now);
  }

  private static void raise(AtomicInteger most, int now) {
    if (now > most.get()) {
      most.accumulateAndGet(now, Math::max);
    }
  }

  void end() {
    active.decrementAndGet();
  }

  /** How many requests are being handled, and the most so far. */
  String activity() {
    return "{\"active\":" + active.get() + ",\"peak\":" + peak.get() + "}";
  }

  /**
   * What has come so far, and the most of each since the last look, which begin anew. Collects, so
   * that it knows what lives.
   */
  String look() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("requests", requests.sum());
    fields.put("active", active.get());
    fields.put("peak", peakSinceLook.getAndSet(active.get()));
    Counts counts = gauges.ending();
    fields.put("cpuNanos", counts.cpuNanos());
    fields.put("allocatedBytes", counts.allocatedBytes());
    fields.put("gcCount", counts.gcCount());
    fields.put("gcMillis", counts.gcMillis());
    put(fields, "voluntarySwitches", counts.voluntarySwitches());
    put(fields, "involuntarySwitches", counts.involuntarySwitches());
    Peaks peaks = gauges.peaks();
    fields.put("gcMaxMillis", peaks.gcMaxMillis());
    fields.put("liveSetBytes", peaks.liveSetBytes());
    put(fields, "peakRssBytes", peaks.rssBytes());
    fields.put("platformThreads", peaks.platformThreads());
    gauges.forgetPeaks();
    return JSON.std.asString(fields);
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Long value) {
    if (value != null) {
      fields.put(name, value);
    }
  }
}
