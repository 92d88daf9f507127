package heddle.connection;

import java.io.IOException;

/** The peer sent nothing for longer than it may. */
public final class SilenceException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean begun;

  private SilenceException(String message, boolean begun) {
    super(message);
    this.begun = begun;
  }

  /**
   * For a call whose time for the response's first byte is not its own: {@link
   * Exchange#maxSilenceNanos}.
   */
  public SilenceException(long nanos) {
    this("the server sent nothing for " + nanos / 1_000_000 + " ms", true);
  }

  /** What to say of a peer that was silent for as long as the exchange allows. */
  public static SilenceException of(Exchange exchange, boolean begun) {
    long nanos = exchange.maxSilenceNanos(begun);
    return begun || nanos == exchange.maxSilenceNanos()
        ? new SilenceException(nanos)
        : new SilenceException(
            "the server sent no byte of a response for " + nanos / 1_000_000 + " ms", false);
  }

  /** Whether {@link Exchange#maxSilenceNanos()} was passed, not the time for the first byte. */
  boolean hasBegun() {
    return begun;
  }
}
