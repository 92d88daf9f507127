package heddle.connection;

import java.io.IOException;

/** The peer sent nothing for longer than it may. */
public final class SilenceException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A loop that notices a silence this much later got no CPU time, or the process was stopped. */
  private static final long HELD_UP_NANOS = 1_000_000_000;

  private final boolean begun;

  private SilenceException(String message, boolean begun) {
    super(message);
    this.begun = begun;
  }

  /** For a peer that was silent for as long as the exchange allows. */
  public static SilenceException of(Exchange exchange, boolean begun) {
    return of(exchange, begun, exchange.maxSilenceNanos(begun));
  }

  /**
   * As the other.
   *
   * @param silentNanos for how long the peer had been silent when that was noticed
   */
  public static SilenceException of(Exchange exchange, boolean begun, long silentNanos) {
    long allowed = exchange.maxSilenceNanos(begun);
    boolean firstByte = !begun && allowed != exchange.maxSilenceNanos();
    String what = firstByte ? "no byte of a response" : "nothing";
    String message = "the server sent " + what + " for " + millis(allowed);
    if (silentNanos - allowed >= HELD_UP_NANOS) {
      message += " (noticed after " + millis(silentNanos) + ": this process was held up)";
    }
    return new SilenceException(message, !firstByte);
  }

  private static String millis(long nanos) {
    return nanos / 1_000_000 + " ms";
  }

  /** Whether {@link Exchange#maxSilenceNanos()} was exceeded, not the limit for the first byte. */
  boolean hasBegun() {
    return begun;
  }
}
