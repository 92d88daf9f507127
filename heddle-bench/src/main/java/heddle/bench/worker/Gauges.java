package heddle.bench.worker;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** What this JVM says of itself. Safe for use by many threads. */
final class Gauges {

  private static final Path STATUS = Path.of("/proc/self/status");

  /** The kernel sets VmHWM back to the present size when 5 is written here, see proc(5). */
  private static final Path CLEAR_REFS = Path.of("/proc/self/clear_refs");

  private static final String RESET_PEAK_RSS = "5";

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private final Compilers compilers = new Compilers();
  private final int idleThreads = threads.getThreadCount();
  private final Set<String> heapPools = new HashSet<>();
  private final AtomicLong afterGc = new AtomicLong();

  Gauges() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        heapPools.add(pool.getName());
      }
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((notification, _) -> collected(notification), null, null);
      }
    }
  }

  /** Begins anew with all peaks, before another load in the same JVM. */
  void forgetPeaks() {
    System.gc();
    afterGc.set(0);
    ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
    threads.resetPeakThreadCount();
    try {
      if (Files.isWritable(CLEAR_REFS)) {
        Files.writeString(CLEAR_REFS, RESET_PEAK_RSS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + CLEAR_REFS, e);
    }
  }

  private void collected(Notification notification) {
    if (notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
        && notification.getUserData() instanceof CompositeData data) {
      long used =
          GarbageCollectionNotificationInfo.from(data)
              .getGcInfo()
              .getMemoryUsageAfterGc()
              .entrySet()
              .stream()
              .filter(entry -> heapPools.contains(entry.getKey()))
              .mapToLong(entry -> entry.getValue().getUsed())
              .sum();
      afterGc.accumulateAndGet(used, Math::max);
    }
  }

  /** CPU time of the whole process, in nanoseconds. */
  long cpuNanos() {
    return system.getProcessCpuTime();
  }

  /** CPU time of the compilers alone, in nanoseconds. */
  long compilerNanos() {
    return compilers.nanos();
  }

  /** Bytes allocated by all platform threads, and so by the virtual threads they carried. */
  long allocatedBytes() {
    return threads.getTotalThreadAllocatedBytes();
  }

  /** Collects once, so that there is a figure where the heap never filled. */
  long peakHeapAfterGcBytes() {
    System.gc();
    long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return afterGc.accumulateAndGet(now, Math::max);
  }

  /** The sum of the peaks of the heap's pools, garbage included: never less than the true peak. */
  long peakHeapBytes() {
    long sum = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        sum += pool.getPeakUsage().getUsed();
      }
    }
    return sum;
  }

  int peakThreads() {
    return threads.getPeakThreadCount();
  }

  int idleThreads() {
    return idleThreads;
  }

  /** The largest resident set so far; -1 where the kernel does not say. */
  long peakRssBytes() {
    if (!Files.isReadable(STATUS)) {
      return -1;
    }
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + STATUS, e);
    }
  }
}
