package heddle.bench.record;

import java.util.Locale;

/** Why a request had no good answer, in the words that reports use. */
public enum FailureKind {
  /** Nobody listens there, or the connection was refused. */
  REFUSED,
  /** The peer reset the connection or the stream. */
  RESET,
  /** The message ended before it was complete. */
  TRUNCATED,
  /** Something took longer than it may. */
  TIMEOUT,
  /** The name of the host has no address. */
  NAME,
  /** The handshake of TLS failed. */
  TLS,
  /** What came was no HTTP. */
  PROTOCOL,
  /** A limit of the client's own: its queue, its connections. */
  CLIENT_LIMIT,
  /** No thread could be started. */
  THREADS,
  /** A complete answer with a status other than 200 to 299. */
  STATUS,
  /** A complete answer of another length than expected. */
  LENGTH,
  /** Nothing came until the end of the run. */
  UNANSWERED,
  /** None of these. */
  OTHER;

  /** Such as {@code client limit}. */
  public String label() {
    return this == TLS ? name() : name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * The kind that is written so.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static FailureKind ofLabel(String label) {
    for (FailureKind each : values()) {
      if (each.label().equals(label)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no kind of failure: " + label);
  }
}
