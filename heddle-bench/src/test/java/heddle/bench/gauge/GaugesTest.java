package heddle.bench.gauge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class GaugesTest {

  private static final int MIB = 1 << 20;

  private final Gauges gauges = new Gauges();

  @Test
  void timeOfTheCompilersGrowsWhileTheyCompile() {
    Compilers compilers = new Compilers();
    long before = compilers.nanos();
    long sum = 0;
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (compilers.nanos() == before && System.nanoTime() < deadline) {
      for (int i = 0; i < 100_000; i++) {
        sum += Integer.toHexString(i).hashCode();
      }
    }
    assertTrue(compilers.nanos() > before, "nothing was compiled for a minute; " + sum);
  }

  @Test
  void cpuTimeIsCountedInLessThanTicks() {
    ProcessClock clock = new ProcessClock();
    long before = clock.nanos();
    long after = clock.nanos();
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (after == before && System.nanoTime() < deadline) {
      after = clock.nanos();
    }
    assertEquals(System.getProperty("os.name").equals("Linux"), clock.isExact());
    long step = after - before;
    assertTrue(step > 0, "no CPU time in a minute");
    assertTrue(!clock.isExact() || step % 10_000_000 != 0, () -> step + " ns is a tick");
  }

  @Test
  void cpuTimeIsThatOfTheBeanToATick() {
    OperatingSystemMXBean bean = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long allowed = Duration.ofMillis(100).toNanos();
    long before = bean.getProcessCpuTime();
    long exact = new ProcessClock().nanos();
    long after = bean.getProcessCpuTime();
    assertTrue(
        before - allowed <= exact && exact <= after + allowed,
        () -> exact + " ns is not between " + before + " and " + after);
  }

  @Test
  void whatVirtualThreadsAllocateIsCounted() throws InterruptedException {
    Counts before = gauges.starting();
    byte[][] kept = new byte[8][];
    Thread.ofVirtual()
        .start(() -> {
          for (int i = 0; i < kept.length; i++) {
            kept[i] = new byte[MIB];
          }
        })
        .join();
    Counts cost = gauges.ending().since(before);
    assertTrue(cost.allocatedBytes() >= 8 * MIB, cost::toString);
    assertEquals(MIB, kept[7].length);
  }

  @Test
  void peaksAreThoseSinceTheyWereForgotten() {
    gauges.forgetPeaks();
    byte[] held = new byte[24 * MIB];
    Peaks peaks = gauges.peaks();
    assertTrue(peaks.heapBytes() >= held.length, peaks::toString);
    assertTrue(peaks.liveSetBytes() > 0, peaks::toString);
    assertTrue(peaks.heapAfterGcBytes() >= peaks.liveSetBytes(), peaks::toString);
    assertTrue(peaks.platformThreads() > 0, peaks::toString);
    assertEquals(Files.exists(Path.of("/proc/self/status")), peaks.rssBytes() != null);
  }

  @Test
  void peaksThatAreTakenAreForgotten() {
    gauges.forgetPeaks();
    long highest = useAndDrop(24 * MIB);
    Peaks taken = gauges.takePeaks();
    assertTrue(taken.heapBytes() >= highest, taken::toString);
    Peaks next = gauges.peaks();
    assertTrue(next.heapBytes() < taken.heapBytes() - 12 * MIB, () -> taken + ", then " + next);
  }

  @Test
  void idleOneIsNotCollectedForItsPeaks() {
    gauges.forgetPeaks();
    byte[] dropped = new byte[4 * MIB];
    Counts before = gauges.starting();
    Peaks taken = gauges.takeIdlePeaks();
    assertEquals(0, gauges.ending().since(before).gcCount());
    assertTrue(taken.liveSetBytes() >= dropped.length, taken::toString);
    gauges.takePeaks();
    assertTrue(gauges.ending().since(before).gcCount() > 0);
  }

  @Test
  void compilersThatWaitForACoreAreBusy() throws Exception {
    assertEquals(
        Files.exists(Path.of("/proc/self/schedstat")), !gauges.compilerThreads().isEmpty());
    long worked = gauges.starting().compilerNanos();
    assertTrue(gauges.compilersBusyNanos() >= worked);
  }

  private static long useAndDrop(int bytes) {
    byte[] used = new byte[bytes];
    return used.length;
  }

  @Test
  void threadThatParksGivesUpItsCore() {
    Counts before = gauges.starting();
    Long known = before.voluntarySwitches();
    if (known == null) {
      assertNull(gauges.ending().since(before).voluntarySwitches());
      return;
    }
    long deadline = System.nanoTime() + 20_000_000_000L;
    Long switches = 0L;
    while (switches != null && switches < 50 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
      switches = gauges.ending().since(before).voluntarySwitches();
    }
    assertNotNull(switches);
    assertTrue(switches >= 50, "only " + switches);
  }

  @Test
  void connectionsBegunAreFoundByTheNameOfTheirColumn() {
    List<String> table = List.of(
        "Ip: Forwarding DefaultTTL",
        "Ip: 1 64",
        "Tcp: RtoAlgorithm RtoMin ActiveOpens PassiveOpens",
        "Tcp: 1 200 4711 12");
    assertEquals(4711L, Connections.begun(table));
    assertNull(Connections.begun(List.of("Tcp: RtoMin", "Tcp: 1")));
    assertNull(Connections.begun(List.of()));
  }
}
