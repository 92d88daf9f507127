package heddle.transport.tcp;

import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The logger finder of this module's tests. While told to, every record fails as it does when there
 * is no memory for it; otherwise nothing is logged.
 */
public final class FailingLogs extends System.LoggerFinder {
  private static final AtomicInteger RECORDS = new AtomicInteger();
  private static volatile boolean failing;

  static void start() {
    RECORDS.set(0);
    failing = true;
  }

  static void stop() {
    failing = false;
  }

  /** How many records have failed since the start. */
  static int records() {
    return RECORDS.get();
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new FailingLogger(name);
  }

  private record FailingLogger(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      fail();
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        Object @Nullable ... parameters) {
      fail();
    }

    private static void fail() {
      if (failing) {
        RECORDS.incrementAndGet();
        throw new OutOfMemoryError("injected into the log");
      }
    }
  }
}
