package heddle.bench.gauge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The CPU time of the JVM's compilers. Linux counts it while they work; on other systems the JVM's
 * own count is used, which grows only when a method is finished.
 */
final class Compilers {

  /** Names of HotSpot's threads as the kernel has them, cut to 15 characters. */
  private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");

  private final @Nullable CompilationMXBean bean = ManagementFactory.getCompilationMXBean();

  /** Nanoseconds of CPU time of all compilers together. */
  long nanos() {
    return sum(1);
  }

  /** Nanoseconds in which they worked or waited for a core: a waiting compiler is not idle. */
  long busyNanos() {
    return sum(2);
  }

  /** The first fields of schedstat: nanoseconds on a CPU, and nanoseconds waiting for one. */
  private long sum(int fields) {
    try {
      List<Path> threads = threads();
      if (!threads.isEmpty()) {
        long sum = 0;
        for (Path thread : threads) {
          String[] times = ThreadFiles.text(thread, "schedstat").split(" ", -1);
          for (int i = 0; i < Math.min(fields, times.length - 1); i++) {
            sum += Long.parseLong(times[i]);
          }
        }
        return sum;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the times of the compilers' threads", e);
    }
    return bean != null && bean.isCompilationTimeMonitoringSupported()
        ? bean.getTotalCompilationTime() * 1_000_000
        : 0;
  }

  /** Listed each time, because HotSpot starts and ends compiler threads as needed. */
  static List<Path> threads() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path each : ThreadFiles.all()) {
      if (NAMES.contains(ThreadFiles.text(each, "comm"))
          && Files.exists(each.resolve("schedstat"))) {
        found.add(each);
      }
    }
    return found;
  }
}
