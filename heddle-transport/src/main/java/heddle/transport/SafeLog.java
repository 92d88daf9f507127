package heddle.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Logging that never throws, for the threads that many connections depend on. A logger runs the
 * user's code and needs memory, classes and files, which may be missing when there is much to log.
 */
public final class SafeLog {
  private SafeLog() {}

  /**
   * Loads this class in time for code that logs when no memory is left: otherwise the first record
   * would fail outside of the method that catches its failures.
   */
  public static void load() {}

  /**
   * Logs a message that ends with {@code subject}, whose text is made only here, and the stack of
   * {@code thrown} if there is one. Drops a failure of the logger, which has no place to say so.
   */
  public static void log(
      Logger logger, Level level, String message, Object subject, @Nullable Throwable thrown) {
    try {
      if (logger.isLoggable(level)) {
        logger.log(level, message + subject, thrown);
      }
    } catch (Throwable failure) {
      return; // The record is lost, the caller's work is not.
    }
  }
}
