package heddle.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Logging that never throws, for the threads that many connections depend on. A logger runs the
 * user's code and needs memory, classes and files, any of which may be missing just when there is
 * something to report.
 */
public final class SafeLog {
  private SafeLog() {}

  /**
   * Loads this class in time for code that logs when no memory is left: otherwise the first record
   * would fail outside of the method that catches its failures.
   */
  public static void load() {}

  /**
   * Logs a message that ends with {@code subject}, whose text is made only here. A failure of the
   * logger is dropped: a log that fails has no place to say so.
   *
   * @param thrown what to report with its stack; null for none
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
