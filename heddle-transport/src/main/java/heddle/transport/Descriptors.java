package heddle.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many file descriptors, and so sockets, this process may have open at once ({@code ulimit
 * -n}). The JDK does not expose that in {@code java.base}; Linux does in a file.
 */
public final class Descriptors {
  /** The limit that is assumed if the system does not report one: {@value}. */
  public static final long ASSUMED = 10_240;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String LINE = "Max open files";

  /** What the JDK's exceptions say for EMFILE and, with "in system", for ENFILE. */
  private static final String TOO_MANY = "Too many open files";

  /** Read in advance, because reading it takes a descriptor. */
  private static final long LIMIT = read();

  private Descriptors() {}

  /** {@link #ASSUMED} if the system reports none, {@link Long#MAX_VALUE} if it is unlimited. */
  public static long limit() {
    return LIMIT;
  }

  /** Reads the limit now: when it is reached, neither this class nor the limit could be read. */
  public static void prepare() {}

  /** Whether an operation failed because the process or the system has no descriptor left. */
  public static boolean areExhausted(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String message = each.getMessage();
      if (message != null && message.contains(TOO_MANY)) {
        return true;
      }
    }
    return false;
  }

  /** Whether no descriptor is left at this moment: takes one and gives it back. */
  public static boolean areExhausted() {
    try (InputStream unused = Files.newInputStream(Path.of("/dev/null"))) {
      return false;
    } catch (IOException e) {
      return areExhausted(e);
    }
  }

  /** The exception for what lacked a descriptor, if the system does not say so itself. */
  public static IOException exhausted(String what, @Nullable Throwable cause) {
    return new IOException(what + ": " + TOO_MANY, cause);
  }

  /** For an exception's message: the limit, and how to raise it. */
  public static String advice() {
    return "the limit of this process is "
        + (LIMIT == Long.MAX_VALUE ? "unlimited" : LIMIT + " descriptors")
        + ": raise it with ulimit -n";
  }

  private static long read() {
    try {
      return Files.isReadable(LIMITS) ? limit(Files.readAllLines(LIMITS)) : ASSUMED;
    } catch (IOException | RuntimeException e) {
      // With no descriptor free this cannot be read either; what is assumed is as good then.
      return ASSUMED;
    }
  }

  /** The soft limit in the lines of that file; {@link #ASSUMED} if none of them names it. */
  static long limit(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith(LINE)) {
        String soft = line.substring(LINE.length()).strip().split("\\s+", 2)[0];
        try {
          return soft.equals("unlimited") ? Long.MAX_VALUE : Math.max(1, Long.parseLong(soft));
        } catch (NumberFormatException e) {
          return ASSUMED;
        }
      }
    }
    return ASSUMED;
  }
}
