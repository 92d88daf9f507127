package heddle.bench.race;

import org.jspecify.annotations.Nullable;

/** Thrown if a race cannot be run; the message says what is missing and what to do. */
public sealed class RaceException extends Exception permits UnknownNameException {

  RaceException(String message) {
    super(message);
  }

  RaceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
