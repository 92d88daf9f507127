package heddle.verify.torture;

import java.io.IOException;

/** What can be thrown where nothing is expected to be. */
enum Fault {
  OUT_OF_MEMORY,
  STACK_OVERFLOW,
  NO_CLASS,
  IO;

  /** A new one, to be thrown. */
  Throwable make() {
    String why = "thrown by the torture suite";
    return switch (this) {
      case OUT_OF_MEMORY -> new OutOfMemoryError(why);
      case STACK_OVERFLOW -> new StackOverflowError(why);
      case NO_CLASS -> new NoClassDefFoundError(why);
      case IO -> new IOException(why);
    };
  }
}
