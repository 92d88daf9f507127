package heddle.verify.torture;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What this process has of heap, threads and descriptors. */
final class ProcessState {
  private static final Pattern OURS = Pattern.compile("^#\\d+ \"(heddle-[^\"]*)\" virtual.*");

  private ProcessState() {}

  /** Bytes that a collection leaves; it is made now. */
  static long liveBytes() {
    System.gc();
    long live = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        // Without what was allocated since.
        live += pool.getCollectionUsage().getUsed();
      }
    }
    return live;
  }

  static int platformThreads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  /** Open files and sockets; 0 on systems that do not count them. */
  static long descriptors() {
    if (!(ManagementFactory.getOperatingSystemMXBean()
        instanceof UnixOperatingSystemMXBean system)) {
      return 0;
    }
    try {
      return system.getOpenFileDescriptorCount();
    } catch (InternalError e) {
      // The JVM counts the entries of a folder, which it cannot open: none is free.
      return system.getMaxFileDescriptorCount();
    }
  }

  /** Names of the engine's virtual threads. Costs a file, and stops the process for a moment. */
  static List<String> virtualThreads() throws IOException {
    Path folder = Files.createTempDirectory("heddle-torture");
    Path file = folder.resolve("threads");
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
      try (Stream<String> lines = Files.lines(file)) {
        return lines
            .map(OURS::matcher)
            .filter(Matcher::matches)
            .map(matcher -> matcher.group(1))
            .toList();
      }
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }
}
