package heddle.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How many file descriptors, and so sockets, this process may have open at once ({@code ulimit
 * -n}). The JDK does not raise its own limit on Linux beyond the hard one, nor tell it in {@code
 * java.base}; Linux does in a file.
 */
public final class Descriptors {
  /** What is assumed where the system does not tell: {@value}. */
  public static final long ASSUMED = 10_240;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String LINE = "Max open files";

  private Descriptors() {}

  /**
   * The limit that holds now; {@link #ASSUMED} where the system does not tell, and {@link
   * Long#MAX_VALUE} where there is none. Reads a small file, so it is for when something starts.
   */
  public static long limit() {
    if (!Files.isReadable(LIMITS)) {
      return ASSUMED;
    }
    try {
      return limit(Files.readAllLines(LIMITS));
    } catch (IOException e) {
      // With no descriptor free this cannot be read either; what is assumed is as good then.
      return ASSUMED;
    }
  }

  /** The soft limit in the lines of that file; {@link #ASSUMED} if none of them names it. */
  static long limit(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith(LINE)) {
        String soft = line.substring(LINE.length()).strip().split("\\s+", 2)[0];
        return soft.equals("unlimited") ? Long.MAX_VALUE : parse(soft);
      }
    }
    return ASSUMED;
  }

  private static long parse(String count) {
    try {
      return Math.max(1, Long.parseLong(count));
    } catch (NumberFormatException e) {
      return ASSUMED;
    }
  }
}
