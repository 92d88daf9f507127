package heddle.codec.http2;

import org.jspecify.annotations.Nullable;

/**
 * The states of a stream and the steps between them, RFC 9113 §5.1. Nothing else decides what may
 * follow what.
 *
 * <pre>
 *    end sent  ┌─────────── OPEN ───────────┐  end received
 *              ▼                            ▼
 *     HALF_CLOSED_LOCAL            HALF_CLOSED_REMOTE
 *              │ end received               │ end sent
 *              └──────────▶ CLOSED ◀────────┘
 *
 *     each becomes CLOSED when RST_STREAM is sent or received
 * </pre>
 *
 * An idle stream is no object yet. The two reserved states are missing: pushed streams are refused
 * (§8.4), on both sides.
 */
public enum StreamState {
  /** Both sides may send. */
  OPEN,
  /** We have sent our end; the peer may still send. */
  HALF_CLOSED_LOCAL,
  /** The peer has sent its end; we may still send. */
  HALF_CLOSED_REMOTE,
  /** Both ends were sent, or either side has reset the stream. */
  CLOSED;

  /** What moves a stream from a state to another. */
  enum Step {
    SEND_END,
    RECEIVE_END,
    RESET
  }

  /** The state after {@code step}, or null if the step is not allowed. */
  @Nullable
  StreamState after(Step step) {
    return switch (step) {
      case SEND_END -> !maySend() ? null : mayReceive() ? HALF_CLOSED_LOCAL : CLOSED;
      case RECEIVE_END -> !mayReceive() ? null : maySend() ? HALF_CLOSED_REMOTE : CLOSED;
      case RESET -> this == CLOSED ? null : CLOSED;
    };
  }

  /** Whether we may still send HEADERS and DATA. */
  public boolean maySend() {
    return this == OPEN || this == HALF_CLOSED_REMOTE;
  }

  /** Whether the peer may still send HEADERS and DATA. */
  public boolean mayReceive() {
    return this == OPEN || this == HALF_CLOSED_LOCAL;
  }
}
