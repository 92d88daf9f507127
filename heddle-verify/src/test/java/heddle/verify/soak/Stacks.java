package heddle.verify.soak;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The stacks of this JVM's threads, virtual ones too, for the message of a test that hangs. */
final class Stacks {
  private Stacks() {}

  /** Those that run or wait in our code. */
  static String ofOurs() {
    try {
      Path folder = Files.createTempDirectory("heddle-stacks");
      Path file = folder.resolve("threads");
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
        return Arrays.stream(Files.readString(file).split("\\R\\R"))
            .filter(stack -> stack.contains(" heddle.") || stack.contains("\"heddle-"))
            .collect(Collectors.joining("\n\n"));
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
