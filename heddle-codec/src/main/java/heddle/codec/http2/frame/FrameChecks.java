package heddle.codec.http2.frame;

import java.nio.ByteBuffer;

/** Checks that several types of frame share. */
final class FrameChecks {
  private FrameChecks() {}

  /** The frame belongs to a stream; a connection error otherwise. */
  static void onStream(FrameHeader header, String type, String section) throws Http2Exception {
    if (header.streamId() == 0) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, type + " on stream 0, must be on a stream (" + section + ")");
    }
  }

  /** The frame belongs to the connection; a connection error otherwise. */
  static void onConnection(FrameHeader header, String type, String section) throws Http2Exception {
    if (header.streamId() != 0) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR,
          type + " on stream " + header.streamId() + ", must be on stream 0 (" + section + ")");
    }
  }

  /** The payload has exactly this length; a connection error otherwise. */
  static void length(FrameHeader header, int length, String type, String section)
      throws Http2Exception {
    if (header.length() != length) {
      throw Http2Exception.connection(
          ErrorCode.FRAME_SIZE_ERROR,
          type + " of " + header.length() + " bytes, must be " + length + " (" + section + ")");
    }
  }

  /** The payload is long enough for its fixed part; a connection error otherwise. */
  static void atLeast(FrameHeader header, int length, String type, String section)
      throws Http2Exception {
    if (header.length() < length) {
      throw Http2Exception.connection(
          ErrorCode.FRAME_SIZE_ERROR,
          type + " of " + header.length() + " bytes, must be at least " + length + " (" + section
              + ")");
    }
  }

  /**
   * Takes the Pad Length byte and cuts the padding off the end of {@code payload}. The padding's
   * content is not checked: RFC 9113 §6.1 leaves that to the receiver.
   *
   * @param fixed bytes that must be left in front of the padding
   */
  static void unpad(FrameHeader header, ByteBuffer payload, int fixed, String type, String section)
      throws Http2Exception {
    int padding = payload.get() & 0xFF;
    if (padding > payload.remaining() - fixed) {
      throw tooMuchPadding(header, padding, type, section);
    }
    payload.limit(payload.limit() - padding);
  }

  static Http2Exception tooMuchPadding(
      FrameHeader header, int padding, String type, String section) {
    return Http2Exception.connection(
        ErrorCode.PROTOCOL_ERROR,
        type + " of " + header.length() + " bytes with " + padding + " bytes of padding, which do"
            + " not fit (" + section + ")");
  }
}
