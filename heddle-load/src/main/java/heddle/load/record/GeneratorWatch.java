package heddle.load.record;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches this process while it makes a load: its CPU time, its collections, and its stalls, which
 * it detects with a thread that sleeps for 5 ms at a time.
 */
public final class GeneratorWatch implements AutoCloseable {

  private static final long NAP_NANOS = 5_000_000;
  private static final long SHORTEST_STALL_NANOS = 20_000_000;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final long begin = System.nanoTime();
  private final long cpuBefore = system.getProcessCpuTime();
  private final long collectingBefore = collectingMillis();
  private final Thread thread;
  private volatile boolean over;

  private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
  private final LongAdder stalledNanos = new LongAdder();

  /** Starts watching. */
  public GeneratorWatch() {
    thread = Thread.ofPlatform().daemon().name("load-watch").start(this::nap);
  }

  private void nap() {
    long before = System.nanoTime();
    while (!over) {
      LockSupport.parkNanos(NAP_NANOS);
      long now = System.nanoTime();
      noteNap(now - before);
      before = now;
    }
  }

  /** A nap that takes much longer than requested is a stall. */
  private void noteNap(long nanos) {
    long late = nanos - NAP_NANOS;
    if (late >= SHORTEST_STALL_NANOS) {
      stalledNanos.add(late);
      longestNanos.accumulate(late);
    }
  }

  private static long collectingMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .filter(millis -> millis > 0)
        .sum();
  }

  /** The cost so far. */
  public GeneratorCost cost() {
    return new GeneratorCost(
        Duration.ofNanos(System.nanoTime() - begin),
        Duration.ofNanos(system.getProcessCpuTime() - cpuBefore),
        Runtime.getRuntime().availableProcessors(),
        Duration.ofMillis(collectingMillis() - collectingBefore),
        Duration.ofNanos(stalledNanos.sum()),
        Duration.ofNanos(longestNanos.get()));
  }

  /** Ends the watching thread. */
  @Override
  public void close() {
    over = true;
    LockSupport.unpark(thread);
  }
}
