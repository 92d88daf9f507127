package heddle.codec.http1;

/**
 * The states of the two halves of a session; nothing else decides what may follow what.
 *
 * <pre>
 * receiving  IDLE ─▶ HEAD ─▶ CONTENT ─▶ DONE ─▶ IDLE (client) or HEAD (server)
 *                     │ ▲ └─▶ ENDING ─▶ DONE
 *                     │ └─ (interim response)
 *                     └─▶ SWITCHING ─▶ UPGRADED          any ─▶ FAILED
 * sending    IDLE ─▶ CONTENT ─▶ DONE ─▶ IDLE
 *             ├───────────────▶ DONE
 *             └─▶ UPGRADED
 * </pre>
 */
final class Http1State {
  private Http1State() {}

  /** Where the receiving half stands. */
  enum Receiving {
    /** Client: no response is expected. */
    IDLE,
    /** A head is awaited or has come in part. */
    HEAD,
    /** Content is awaited; its framing says how much. */
    CONTENT,
    /** The message is complete but its end has not been yielded yet. */
    ENDING,
    /** The head of a response that changes the protocol was yielded; the change not yet. */
    SWITCHING,
    /** The message is complete; what follows in the input is left alone. */
    DONE,
    /** Another protocol has taken over. */
    UPGRADED,
    /** The peer broke the protocol. */
    FAILED;

    Receiving to(Receiving next) {
      boolean isStep =
          switch (this) {
            case IDLE -> next == HEAD || next == FAILED;
            case HEAD ->
              next == CONTENT
                  || next == ENDING
                  || next == SWITCHING
                  || next == HEAD
                  || next == FAILED;
            case CONTENT -> next == DONE || next == FAILED;
            case ENDING -> next == DONE;
            case SWITCHING -> next == UPGRADED;
            case DONE -> next == IDLE || next == HEAD;
            case UPGRADED, FAILED -> false;
          };
      if (!isStep) {
        throw new IllegalStateException("the receiving half is " + this + ", not before " + next);
      }
      return next;
    }
  }

  /** Where the sending half stands. */
  enum Sending {
    /** No head of a message was written. */
    IDLE,
    /** A head was written and its content or its end is due. */
    CONTENT,
    /** The message is complete. */
    DONE,
    /** Another protocol has taken over. */
    UPGRADED;

    Sending to(Sending next) {
      boolean isStep =
          switch (this) {
            case IDLE -> next != IDLE;
            case CONTENT -> next == DONE;
            case DONE -> next == IDLE;
            case UPGRADED -> false;
          };
      if (!isStep) {
        throw new IllegalStateException("the sending half is " + this + ", not before " + next);
      }
      return next;
    }
  }
}
