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
    try {
      List<Path> threads = threads();
      if (!threads.isEmpty()) {
        long sum = 0;
        for (Path thread : threads) {
          sum += onCpu(thread);
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
  private static List<Path> threads() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path each : ThreadFiles.all()) {
      if (NAMES.contains(ThreadFiles.text(each, "comm"))
          && Files.exists(each.resolve("schedstat"))) {
        found.add(each);
      }
    }
    return found;
  }

  /** The first field of schedstat: nanoseconds on a CPU. */
  private static long onCpu(Path thread) throws IOException {
    String fields = ThreadFiles.text(thread, "schedstat");
    return fields.isEmpty() ? 0 : Long.parseLong(fields.substring(0, fields.indexOf(' ')));
  }
}
