package heddle.verify.torture;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What can be thrown where no exception is expected. */
enum Fault {
  OUT_OF_MEMORY,
  STACK_OVERFLOW,
  NO_CLASS,
  IO;

  private static final String WHY = "thrown by the torture suite";

  /** A new one, to be thrown. */
  Throwable make() {
    return switch (this) {
      case OUT_OF_MEMORY -> new OutOfMemoryError(WHY);
      case STACK_OVERFLOW -> new StackOverflowError(WHY);
      case NO_CLASS -> new NoClassDefFoundError(WHY);
      case IO -> new IOException(WHY);
    };
  }

  /** Whether one of these is behind a failure. */
  static boolean isBehind(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null) {
      if (WHY.equals(cause.getMessage())) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
