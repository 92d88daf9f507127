package heddle.load.record;

import java.util.Locale;

/** Why a request had no good answer, as named in reports. */
public enum FailureKind {
  /** The connection was refused. */
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
  /** The answer was not valid HTTP. */
  PROTOCOL,
  /** A limit of the client, such as its queue or its connections. */
  CLIENT_LIMIT,
  /** No thread could be started. */
  THREADS,
  /** A complete answer with a status other than 200 to 299. */
  STATUS,
  /** A complete answer of another length than expected. */
  LENGTH,
  /** There was no answer until the end of the run. */
  UNANSWERED,
  /** None of these. */
  OTHER;

  /** Such as {@code client limit}. */
  public String label() {
    return this == TLS ? name() : name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
