package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * A frame of a type that this implementation does not know: to be ignored, RFC 9113 §4.1 and §5.5.
 *
 * @param type 0 to 255
 * @param flags 0 to 255
 */
public record UnknownFrame(int type, int flags, int streamId, ByteBuffer payload) implements Frame {

  static UnknownFrame decode(FrameHeader header, ByteBuffer payload) {
    return new UnknownFrame(header.type(), header.flags(), header.streamId(), payload);
  }

  @Override
  public void encode(HpackOutput out) {
    FrameHeader.encode(out, payload.remaining(), type, flags, streamId);
    FrameHeader.append(out, payload);
  }
}
