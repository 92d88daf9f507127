package heddle.bench.routes;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Map;

/** Samples of the heap's use since the last call of {@link #take}. Thread-safe. */
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

  /** Samples once more, so that there is at least one, adds the fields, and resets. */
  synchronized void take(Map<String, Object> fields) {
    sample();
    fields.put("averageHeapBytes", used / count);
    fields.put("committedHeapBytes", mostCommitted);
    used = 0;
    mostCommitted = 0;
    count = 0;
  }
}
