package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * WINDOW_UPDATE, RFC 9113 §6.9: how many more bytes may be sent, on a stream or the connection.
 *
 * @param streamId 0 for the connection's window
 * @param increment 1 to 2^31-1
 */
public record WindowUpdateFrame(int streamId, int increment) implements Frame {
  public static final int TYPE = 0x8;

  private static final int BYTES = 4;

  static WindowUpdateFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.length(header, BYTES, "WINDOW_UPDATE", "RFC 9113 §6.9");
    int increment = FrameHeader.int31(payload);
    if (increment == 0) {
      throw zero(header.streamId());
    }
    return new WindowUpdateFrame(header.streamId(), increment);
  }

  private static Http2Exception zero(int streamId) {
    String message = "WINDOW_UPDATE by 0 on stream " + streamId + " (RFC 9113 §6.9)";
    return streamId == 0
        ? Http2Exception.connection(ErrorCode.PROTOCOL_ERROR, message)
        : Http2Exception.stream(streamId, ErrorCode.PROTOCOL_ERROR, message);
  }

  @Override
  public void encode(HpackOutput out) {
    encode(out, streamId, increment);
  }

  /** Appends such a frame without creating an object. */
  public static void encode(HpackOutput out, int streamId, int increment) {
    FrameHeader.encode(out, BYTES, TYPE, 0, streamId);
    FrameHeader.appendInt(out, increment);
  }
}
