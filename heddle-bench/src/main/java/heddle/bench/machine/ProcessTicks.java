package heddle.bench.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of a process and its descendants, in ticks; see /proc/PID/stat in proc(5). */
public final class ProcessTicks {

  /**
   * The first of the fields 14 to 17: user and system time of the process and of its ended
   * children.
   */
  private static final int FIRST = 14;

  private static final int LAST = 17;

  /** The number of the first field after the name of the program, which may contain blanks. */
  private static final int BEHIND_NAME = 3;

  /** The length of a tick, which Linux shows programs on all machines. */
  public static final long TICK_NANOS = 10_000_000;

  private ProcessTicks() {}

  /** Whether the operating system tells the time of other processes in this way. */
  public static boolean areKnown() {
    return Files.isReadable(Path.of("/proc/self/stat"));
  }

  /**
   * The time of a process, all its descendants, and its children that have ended; 0 if it has ended
   * itself.
   */
  public static long ofTree(ProcessHandle process) throws IOException {
    long ticks = of(process);
    for (ProcessHandle each : process.descendants().toList()) {
      ticks += of(each);
    }
    return ticks;
  }

  private static long of(ProcessHandle process) throws IOException {
    Path stat = Path.of("/proc/" + process.pid() + "/stat");
    try {
      return parse(Files.readString(stat, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      if (process.isAlive() && Files.exists(stat)) {
        throw e;
      }
      // It has ended meanwhile; its time was added to that of its parent.
      return 0;
    }
  }

  static long parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split("\\s+", -1);
    long ticks = 0;
    for (int i = FIRST; i <= LAST; i++) {
      ticks += Long.parseLong(fields[i - BEHIND_NAME]);
    }
    return ticks;
  }
}
