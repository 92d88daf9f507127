package heddle.codec.http2;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The states of a stream and the steps between them, RFC 9113 §5.1, as data. Nothing else decides
 * what may follow what.
 *
 * <pre>
 *                          IDLE
 *                  head sent │ head received
 *                            ▼
 *    end sent  ┌─────────── OPEN ───────────┐  end received
 *              ▼                            ▼
 *     HALF_CLOSED_LOCAL            HALF_CLOSED_REMOTE
 *              │ end received               │ end sent
 *              └──────────▶ CLOSED ◀────────┘
 *
 *     IDLE aside, each becomes CLOSED when RST_STREAM is sent or received
 * </pre>
 *
 * The two reserved states are missing: pushed streams are refused (§8.4), on both sides.
 */
public enum StreamState {
  /** Nothing was sent or received. */
  IDLE,
  /** Both sides may send. */
  OPEN,
  /** We have sent our end; the peer may still send. */
  HALF_CLOSED_LOCAL,
  /** The peer has sent its end; we may still send. */
  HALF_CLOSED_REMOTE,
  /** Both ends were sent, or either side has reset the stream. */
  CLOSED;

  /** What moves a stream from a state to another. */
  public enum Step {
    SEND_HEAD,
    RECEIVE_HEAD,
    SEND_END,
    RECEIVE_END,
    SEND_RESET,
    RECEIVE_RESET
  }

  /** For each state, what each step leads to; a step that is missing is not allowed. */
  private static final Map<StreamState, Map<Step, StreamState>> TABLE = new EnumMap<>(Map.of(
      IDLE,
      steps(Map.of(
          Step.SEND_HEAD, OPEN,
          Step.RECEIVE_HEAD, OPEN)),
      OPEN,
      steps(Map.of(
          Step.SEND_HEAD, OPEN,
          Step.RECEIVE_HEAD, OPEN,
          Step.SEND_END, HALF_CLOSED_LOCAL,
          Step.RECEIVE_END, HALF_CLOSED_REMOTE,
          Step.SEND_RESET, CLOSED,
          Step.RECEIVE_RESET, CLOSED)),
      HALF_CLOSED_LOCAL,
      steps(Map.of(
          Step.RECEIVE_HEAD, HALF_CLOSED_LOCAL,
          Step.RECEIVE_END, CLOSED,
          Step.SEND_RESET, CLOSED,
          Step.RECEIVE_RESET, CLOSED)),
      HALF_CLOSED_REMOTE,
      steps(Map.of(
          Step.SEND_HEAD, HALF_CLOSED_REMOTE,
          Step.SEND_END, CLOSED,
          Step.SEND_RESET, CLOSED,
          Step.RECEIVE_RESET, CLOSED)),
      CLOSED,
      new EnumMap<>(Step.class)));

  private static Map<Step, StreamState> steps(Map<Step, StreamState> steps) {
    return new EnumMap<>(steps);
  }

  private static final Map<Step, StreamState> NO_STEPS = Map.of();

  /** The state after {@code step}, or null if the step is not allowed. */
  @Nullable
  StreamState after(Step step) {
    return TABLE.getOrDefault(this, NO_STEPS).get(step);
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
