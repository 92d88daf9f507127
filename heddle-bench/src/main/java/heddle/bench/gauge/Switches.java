package heddle.bench.gauge;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How often threads of this process have left a core, as the kernel counts it; see proc(5). Threads
 * that have ended are not included.
 *
 * @param voluntary because they had nothing to do
 * @param involuntary because the kernel gave it to others
 */
record Switches(long voluntary, long involuntary) {

  private static final String VOLUNTARY = "voluntary_ctxt_switches:";
  private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

  /** The counts so far; null if the kernel does not say. */
  static @Nullable Switches now() throws IOException {
    List<Path> threads = ThreadFiles.all();
    if (threads.isEmpty()) {
      return null;
    }
    long voluntary = 0;
    long involuntary = 0;
    for (Path each : threads) {
      for (String line : ThreadFiles.text(each, "status").split("\n", -1)) {
        if (line.startsWith(VOLUNTARY)) {
          voluntary += number(line);
        } else if (line.startsWith(INVOLUNTARY)) {
          involuntary += number(line);
        }
      }
    }
    return new Switches(voluntary, involuntary);
  }

  private static long number(String line) {
    return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
  }
}
