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
 * How much CPU time the JVM's compilers have taken. The kernel counts it while they work; the JVM,
 * which is asked where there is no such kernel, adds a method when it is done.
 */
final class Compilers {

  /** As the kernel has the names of HotSpot's threads: cut to 15 characters. */
  private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");

  private final @Nullable CompilationMXBean bean = ManagementFactory.getCompilationMXBean();

  /** Nanoseconds of all compilers together. */
  long nanos() {
    return sum(1);
  }

  /** Nanoseconds in which they worked or waited for a core: those who wait are not at rest. */
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

  /** Looked for each time: HotSpot may start and end them as it needs them. */
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
