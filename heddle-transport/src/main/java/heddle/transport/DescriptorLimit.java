package heddle.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How many files and sockets this process may have open, and how to see that it may open no more.
 */
public final class DescriptorLimit {
  /** What the JDK's exceptions say for EMFILE and, with "in system", for ENFILE. */
  private static final String TOO_MANY = "Too many open files";

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String LINE = "Max open files";

  /** Read in advance, because reading it takes a descriptor. */
  private static final @Nullable String SOFT_LIMIT = readSoftLimit();

  private DescriptorLimit() {}

  /** Reads the limit now: when it is reached, neither this class nor the limit could be read. */
  public static void prepare() {
    // Initializing the class does it.
  }

  /** Whether an operation failed because the process or the system has no descriptor left. */
  public static boolean isReached(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String message = each.getMessage();
      if (message != null && message.contains(TOO_MANY)) {
        return true;
      }
    }
    return false;
  }

  /** For an exception's message: the limit, where the system tells it, and how to raise it. */
  public static String advice() {
    String limit = SOFT_LIMIT;
    return limit == null
        ? "raise the limit of open files with ulimit -n"
        : "the limit of this process is " + limit + ": raise it with ulimit -n";
  }

  private static @Nullable String readSoftLimit() {
    try {
      for (String line : Files.readAllLines(LIMITS)) {
        if (line.startsWith(LINE)) {
          return line.substring(LINE.length()).strip().split("\\s+", 2)[0];
        }
      }
    } catch (IOException | RuntimeException e) {
      // Only Linux has this file. Elsewhere the advice names no number.
      return null;
    }
    return null;
  }
}
