package heddle.codec.http2;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;

/**
 * How much the peer may send, on one stream or on the connection, RFC 9113 §6.9, as three totals
 * that only grow: what the peer was allowed, what came, and what was read. Their differences are
 * all that matters, and each has one writer:
 *
 * <pre>
 *   consumed ≤ received ≤ allowed        consumed + window = allowed, once all credit is given
 * </pre>
 *
 * <p>Helidon's client 4.5.0 counts each WINDOW_UPDATE of a stream twice, so that it sends more than
 * the stream's window as soon as its content is read more slowly than it comes. Such a stream would
 * be reset, and the upload fail. So a stream may exceed its window by the credit that was given for
 * it, once more: not before there was any, and never beyond the connection's window, which bounds
 * what is unread in all and has no such tolerance.
 *
 * <p>Credit is given in batches of half a window. The window doubles, up to its bound, while the
 * peer sends and the reader reads as fast as it allows: when half of it passed within a round trip.
 */
final class Inflow {
  private final int streamId;
  private final int firstWindow;
  private final int maxWindow;

  /** What came. Written by the loop alone. */
  private long received;

  /** What the peer was allowed. Written under the lock, read by the loop. */
  private volatile long allowed;

  /** What was read. Guarded by the lock. */
  private long consumed;

  /** Bytes that may be unread. Guarded by the lock. */
  private int window;

  /** When the last credit was given, once there was one. Guarded by the lock. */
  private long creditedAt;

  private boolean credited;

  /**
   * A window that the peer knows of.
   *
   * @param streamId 0 for the connection's
   * @param window what the peer may send before it gets credit: SETTINGS_INITIAL_WINDOW_SIZE, or
   *     65,535 for a connection; 0 to 2^31-1
   * @param maxWindow what the window may grow to
   */
  Inflow(int streamId, int window, int maxWindow) {
    this.streamId = streamId;
    this.firstWindow = window;
    this.window = window;
    this.maxWindow = maxWindow;
    allowed = window;
  }

  // ---- the loop's

  /**
   * Bytes have come.
   *
   * @throws Http2Exception FLOW_CONTROL_ERROR when they are more than was allowed, of the stream or
   *     the connection it is of (RFC 9113 §6.9.1); of a stream when they are more than if each
   *     credit counted twice
   */
  void received(int bytes) throws Http2Exception {
    received += bytes;
    long most = allowed;
    if (received > most && (streamId == 0 || received > 2 * most - firstWindow)) {
      throw Http2Exception.of(
          streamId,
          ErrorCode.FLOW_CONTROL_ERROR,
          (streamId == 0 ? "the connection" : "stream " + streamId) + " received "
              + (received - most) + " bytes more than its window (RFC 9113 §6.9.1)");
    }
  }

  // ---- under the lock

  /** Bytes were read, or dropped, and may be sent anew. */
  void consumed(long bytes) {
    consumed += bytes;
  }

  /** Bytes that may be unread. */
  int window() {
    return window;
  }

  /** Opens the window to at least this size, with the next credit. */
  void open(int atLeast) {
    window = Math.max(window, atLeast);
  }

  /**
   * The credit to be given now.
   *
   * @param roundTripNanos what a round trip takes at least
   * @return the increment of a WINDOW_UPDATE, which the peer is then counted as allowed; 0 when it
   *     is not worth a frame yet
   */
  int credit(long nowNanos, long roundTripNanos) {
    long before = allowed;
    long due = consumed + window - before;
    if (due < (window + 1L) / 2) {
      return 0;
    }
    if (credited && nowNanos - creditedAt < roundTripNanos) {
      window = (int) Math.min(Math.max(window, maxWindow), 2L * window);
    }
    credited = true;
    creditedAt = nowNanos;
    long increment = Math.min(Integer.MAX_VALUE, consumed + window - before);
    allowed = before + increment;
    return (int) increment;
  }
}
