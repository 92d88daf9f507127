package heddle.verify.torture;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Loggers whose records are steps at which a {@link FaultPlan} may throw; they write nothing. */
public final class FaultyLoggers extends System.LoggerFinder {
  @Override
  public System.Logger getLogger(String name, Module module) {
    return new FaultyLogger(name);
  }

  private record FaultyLogger(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.compareTo(Level.DEBUG) >= 0 && name.startsWith("heddle");
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      record(level);
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... parameters) {
      record(level);
    }

    private void record(Level level) {
      if (isLoggable(level)) {
        FaultPlan.current().uncheckedStep("log record of " + name);
      }
    }
  }
}
