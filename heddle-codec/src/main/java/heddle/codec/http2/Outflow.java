package heddle.codec.http2;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;

/**
 * How much may be sent, on one stream or on the connection, RFC 9113 §6.9. Guarded by the lock of
 * the sending half.
 */
final class Outflow {
  private final int streamId;

  /** Negative after SETTINGS have made the window smaller than what was sent (§6.9.2). */
  private long available;

  /** What was sent in all. Written under the lock; the loop reads it without. */
  private volatile long sent;

  /** DATA frames that were short although the window had room; visible with {@link #sent}. */
  private long shortFramesSent;

  /**
   * A window at its first size.
   *
   * @param streamId 0 for the connection's
   * @param initialWindow 0 to 2^31-1
   */
  Outflow(int streamId, int initialWindow) {
    this.streamId = streamId;
    available = initialWindow;
  }

  /** Bytes that may be sent; none if it is not positive. */
  int available() {
    return (int) available;
  }

  /** Whether nothing may be sent. */
  boolean isShut() {
    return available <= 0;
  }

  /** Counts bytes as sent, which must be available. */
  void sent(int bytes) {
    if (bytes < 0 || bytes > Math.max(0, available)) {
      throw new IllegalArgumentException("sent " + bytes + " of " + available + " bytes");
    }
    available -= bytes;
    long total = sent + bytes;
    sent = total;
  }

  /** Notes that the bytes counted next go in a frame that its sender chose to keep short. */
  void countShortFrame() {
    shortFramesSent++;
  }

  /** Frames that their sender chose to keep short; to be read after {@link #sentInAll}. */
  long shortFramesSent() {
    return shortFramesSent;
  }

  /** Bytes sent in all; the loop, too, compares the peer's credit with it. */
  long sentInAll() {
    return sent;
  }

  /**
   * The peer has sent WINDOW_UPDATE.
   *
   * @param increment at least 1
   * @throws Http2Exception as by {@link #opened}
   */
  void credit(int increment) throws Http2Exception {
    available = opened(streamId, available + increment);
  }

  /**
   * The peer has changed SETTINGS_INITIAL_WINDOW_SIZE, which moves the window of each stream by the
   * difference, below 0 perhaps (RFC 9113 §6.9.2).
   *
   * @throws Http2Exception as by {@link #moved}
   */
  void initialWindow(int before, int now) throws Http2Exception {
    available = moved(streamId, now, available + now - before);
  }

  /**
   * The window that a WINDOW_UPDATE has opened.
   *
   * @throws Http2Exception FLOW_CONTROL_ERROR when it is above 2^31-1, of the stream or, for stream
   *     0, of the connection (RFC 9113 §6.9.1)
   */
  static long opened(int streamId, long window) throws Http2Exception {
    if (window > Integer.MAX_VALUE) {
      throw Http2Exception.of(
          streamId,
          ErrorCode.FLOW_CONTROL_ERROR,
          "WINDOW_UPDATE opens the window of "
              + (streamId == 0 ? "the connection" : "stream " + streamId) + " to " + window
              + " bytes, at most 2^31-1 (RFC 9113 §6.9.1)");
    }
    return window;
  }

  /**
   * The window of a stream after new SETTINGS.
   *
   * @throws Http2Exception a connection error FLOW_CONTROL_ERROR when it is above 2^31-1
   */
  static long moved(int streamId, int initialWindow, long window) throws Http2Exception {
    if (window > Integer.MAX_VALUE) {
      throw Http2Exception.connection(
          ErrorCode.FLOW_CONTROL_ERROR,
          "SETTINGS_INITIAL_WINDOW_SIZE " + initialWindow + " opens the window of stream "
              + streamId + " to " + window + " bytes, at most 2^31-1 (RFC 9113 §6.9.2)");
    }
    return window;
  }
}
