package heddle.bench.routes;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Map;

/** What the heap has held since the last look. Thread-safe. */
final class HeapSamples {

  /** Guarded by this. */
  private long used;

  /** Guarded by this. */
  private long mostCommitted;

  /** Guarded by this. */
  private int count;

  synchronized void sample() {
    MemoryUsage usage = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    used += usage.getUsed();
    mostCommitted = Math.max(mostCommitted, usage.getCommitted());
    count++;
  }

  /** Samples once more, so that there is one, adds what there was, and begins anew. */
  synchronized void take(Map<String, Object> fields) {
    sample();
    fields.put("averageHeapBytes", used / count);
    fields.put("committedHeapBytes", mostCommitted);
    used = 0;
    mostCommitted = 0;
    count = 0;
  }
}
