package heddle.bench.gauge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How often threads of this process have left a core, as the kernel counts it for those that are
 * alive; see proc(5). What a thread did that has ended is missing.
 *
 * @param voluntary because they had nothing to do
 * @param involuntary because the kernel gave it to others
 */
record Switches(long voluntary, long involuntary) {

  private static final Path THREADS = Path.of("/proc/self/task");
  private static final String VOLUNTARY = "voluntary_ctxt_switches:";
  private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

  /** So far; null where the kernel does not say. */
  static @Nullable Switches now() throws IOException {
    if (!Files.isDirectory(THREADS)) {
      return null;
    }
    long voluntary = 0;
    long involuntary = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path each : threads) {
        for (String line : status(each).split("\n", -1)) {
          if (line.startsWith(VOLUNTARY)) {
            voluntary += number(line);
          } else if (line.startsWith(INVOLUNTARY)) {
            involuntary += number(line);
          }
        }
      }
    }
    return new Switches(voluntary, involuntary);
  }

  private static long number(String line) {
    return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
  }

  /** Empty for a thread that has ended meanwhile; the kernel then says so in more than one way. */
  private static String status(Path thread) throws IOException {
    try {
      return Files.readString(thread.resolve("status"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      if (Files.exists(thread)) {
        throw e;
      }
      return "";
    }
  }
}
