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

  /** If there is no separate limit for the response's first byte, or it has arrived. */
  SilenceException(long nanos) {
    this("the server sent nothing for " + nanos / 1_000_000 + " ms", true);
  }

  /** For a peer that was silent for as long as the exchange allows. */
  public static SilenceException of(Exchange exchange, boolean begun) {
    long nanos = exchange.maxSilenceNanos(begun);
    return begun || nanos == exchange.maxSilenceNanos()
        ? new SilenceException(nanos)
        : new SilenceException(
            "the server sent no byte of a response for " + nanos / 1_000_000 + " ms", false);
  }

  /** Whether {@link Exchange#maxSilenceNanos()} was exceeded, not the limit for the first byte. */
  boolean hasBegun() {
    return begun;
  }
}
