package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * PRIORITY_UPDATE, RFC 9218 §7.1: a client wants a response sooner or later than others. Only a
 * client may send it.
 *
 * @param prioritizedStreamId the request it is about, perhaps one still to come; at least 1
 * @param fieldValue a Priority field value, such as {@code u=1, i}; not checked
 */
public record PriorityUpdateFrame(int prioritizedStreamId, ByteBuffer fieldValue) implements Frame {
  public static final int TYPE = 0x10;

  private static final int FIXED_BYTES = 4;

  /** It is sent on the connection, whatever stream it is about. */
  @Override
  public int streamId() {
    return 0;
  }

  static PriorityUpdateFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onConnection(header, "PRIORITY_UPDATE", "RFC 9218 §7.1");
    FrameChecks.atLeast(header, FIXED_BYTES, "PRIORITY_UPDATE", "RFC 9218 §7.1");
    int prioritized = FrameHeader.int31(payload);
    if (prioritized == 0) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "PRIORITY_UPDATE about stream 0 (RFC 9218 §7.1)");
    }
    return new PriorityUpdateFrame(prioritized, payload);
  }

  @Override
  public void encode(HpackOutput out) {
    FrameHeader.encode(out, FIXED_BYTES + fieldValue.remaining(), TYPE, 0, 0);
    FrameHeader.appendInt(out, prioritizedStreamId);
    FrameHeader.append(out, fieldValue);
  }
}
