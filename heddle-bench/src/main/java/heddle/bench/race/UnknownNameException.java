package heddle.bench.race;

/** Thrown if there is no client or cell of that name; the message lists those that there are. */
public final class UnknownNameException extends RaceException {

  UnknownNameException(String message) {
    super(message);
  }
}
