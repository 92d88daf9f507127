package heddle.bench.gauge;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gauges of this JVM. Safe for use by many threads. */
public final class Gauges {

  /** Writing 5 here makes the kernel reset VmHWM to the present size; see proc(5). */
  private static final Path CLEAR_REFS = Path.of("/proc/self/clear_refs");

  private static final String RESET_PEAK_RSS = "5";

  private final ProcessClock clock = new ProcessClock();
  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private final Compilers compilers = new Compilers();
  private final GcWatch collectors = new GcWatch();
  private final ResidentSet residentSet = new ResidentSet();
  private final int idleThreads = threads.getThreadCount();

  /**
   * Resets all peaks before another load in the same JVM. Runs a collection first.
   *
   * @return the live set of the heap after that, in bytes
   */
  public long forgetPeaks() {
    long live = liveBytes();
    beginAnew();
    return live;
  }

  private void beginAnew() {
    collectors.forget();
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

  /** Reads the peaks, then runs a collection to measure the live set. */
  public Peaks peaks() {
    return peaks(true);
  }

  private Peaks peaks(boolean collecting) {
    // Before the collection, which would add to the resident set.
    Long rss = residentSet.peakBytes();
    long heap = peakHeapBytes();
    int mostThreads = threads.getPeakThreadCount();
    long gcMax = collectors.longestMillis();
    long live = collecting ? liveBytes() : usedHeapBytes();
    return new Peaks(heap, collectors.highestAfterGc(live), live, rss, gcMax, mostThreads);
  }

  /** Returns the {@link #peaks} and resets them, with a single collection. */
  public Peaks takePeaks() {
    Peaks taken = peaks(true);
    beginAnew();
    return taken;
  }

  /** The same, without a collection, if nothing was done since the last call. */
  public Peaks takeIdlePeaks() {
    Peaks taken = peaks(false);
    beginAnew();
    return taken;
  }

  /** The present values that are cheap to read: in some 20 µs and with hardly any allocation. */
  public Look look() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return new Look(
        System.nanoTime(),
        clock.nanos(),
        heap.getUsed(),
        heap.getCommitted(),
        collectors.lastAfterGc(),
        residentSet.bytes(),
        threads.getThreadCount());
  }

  /** The live set of the heap, in bytes. Runs a collection first, which is not counted. */
  public long liveBytes() {
    System.gc();
    return usedHeapBytes();
  }

  private static long usedHeapBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Counts at the start of a measurement: those that take long to read are read first. */
  public Counts starting() {
    Switches switches = switches();
    Long connections = connectionsBegun();
    long compiling = compilers.nanos();
    long allocated = threads.getTotalThreadAllocatedBytes();
    return counts(switches, connections, compiling, allocated, clock.nanos());
  }

  /** Counts at the end of a measurement: those that take long to read are read last. */
  public Counts ending() {
    long cpu = clock.nanos();
    long allocated = threads.getTotalThreadAllocatedBytes();
    long compiling = compilers.nanos();
    return counts(switches(), connectionsBegun(), compiling, allocated, cpu);
  }

  private Counts counts(
      @Nullable Switches switches,
      @Nullable Long connections,
      long compiling,
      long allocated,
      long cpu) {
    return new Counts(
        cpu,
        compiling,
        allocated,
        collectors.count(),
        collectors.millis(),
        switches == null ? null : switches.voluntary(),
        switches == null ? null : switches.involuntary(),
        connections);
  }

  private static @Nullable Switches switches() {
    try {
      return Switches.now();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot count the context switches", e);
    }
  }

  private static @Nullable Long connectionsBegun() {
    try {
      return Connections.begun();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot count the connections that were begun", e);
    }
  }

  /** For how long the compilers have worked or waited for a core, in nanoseconds. */
  public long compilersBusyNanos() {
    return compilers.busyNanos();
  }

  /** The thread ids of the compilers; empty if the system is not Linux. */
  public List<String> compilerThreads() throws IOException {
    return Compilers.threads().stream()
        .map(Path::getFileName)
        .filter(Objects::nonNull)
        .map(Path::toString)
        .toList();
  }

  /** The number of platform threads when this object was created. */
  public int idleThreads() {
    return idleThreads;
  }

  private static long peakHeapBytes() {
    long sum = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        sum += pool.getPeakUsage().getUsed();
      }
    }
    return sum;
  }
}
