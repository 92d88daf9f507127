package heddle.cli;

import java.util.Locale;

/**
 * The entry of the process. It can report a failure in one line without loading another class,
 * because a process without free file descriptors cannot load one.
 */
final class Main {

  private static final int FAILED = 1;
  private static final int MOST_CAUSES = 16;

  private Main() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    Thread.setDefaultUncaughtExceptionHandler(Main::tell);
    // Otherwise picocli looks for Groovy in each jar of the class path.
    System.setProperty("picocli.disable.closures", "true");
    int code = FAILED;
    try {
      code = RootCommand.run(Terminal.ofProcess(), arguments);
    } catch (Throwable failure) {
      // Any failure: picocli has handled the exceptions that a command may throw.
      System.err.println("heddle: " + failure + advice(failure));
    }
    System.exit(code);
  }

  /** Reports a failure on a background thread. */
  private static void tell(Thread thread, Throwable failure) {
    String advice = advice(failure);
    if (advice.isEmpty()) {
      System.err.print("heddle: thread " + thread.getName() + " has failed: ");
      failure.printStackTrace();
    } else {
      System.err.println("heddle: thread " + thread.getName() + ": " + failure + advice);
    }
  }

  /** What to do if file descriptors have run out, or seem to; empty for other failures. */
  static String advice(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null && message.toLowerCase(Locale.ROOT).contains("too many open files")) {
        return ". The limit of open files is reached: raise it, for example with ulimit -n 8192";
      }
      if (cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException) {
        return ". A class cannot be read, probably because the process may not open more files:"
            + " raise the limit, for example with ulimit -n 8192";
      }
    }
    return "";
  }
}
