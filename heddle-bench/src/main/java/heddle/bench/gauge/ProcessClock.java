package heddle.bench.gauge;

import com.sun.management.OperatingSystemMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The CPU time of this process. The JDK's bean counts in ticks of 10 ms, which is a twentieth of a
 * window of 200 ms. The clock of Linux counts nanoseconds; it is used if this JVM has native access
 * (JEP 472). Safe for use by many threads.
 */
final class ProcessClock {

  /** On Linux, see clock_gettime(2); other systems number their clocks differently. */
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;

  private static final FunctionDescriptor CLOCK_GETTIME =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS);

  private final OperatingSystemMXBean bean =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final @Nullable MethodHandle kernel = isUsable() ? handle() : null;

  private static boolean isUsable() {
    return ProcessClock.class.getModule().isNativeAccessEnabled()
        && System.getProperty("os.name", "").equals("Linux")
        && ValueLayout.ADDRESS.byteSize() == Long.BYTES;
  }

  // Permitted by the flag that isUsable checks.
  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle handle() {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("clock_gettime")
        .map(function -> linker.downcallHandle(function, CLOCK_GETTIME))
        .orElse(null);
  }

  /** Whether it counts nanoseconds rather than ticks. */
  boolean isExact() {
    return kernel != null;
  }

  /** The time of all threads, past and present, in nanoseconds. */
  long nanos() {
    MethodHandle clock = kernel;
    if (clock == null) {
      return bean.getProcessCpuTime();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(2 * ValueLayout.JAVA_LONG.byteSize());
      int result = (int) clock.invokeExact(CLOCK_PROCESS_CPUTIME_ID, time);
      if (result != 0) {
        throw new IllegalStateException("the kernel does not tell the CPU time of this process");
      }
      return TimeUnit.SECONDS.toNanos(time.getAtIndex(ValueLayout.JAVA_LONG, 0))
          + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a call of clock_gettime failed", e);
    }
  }
}
