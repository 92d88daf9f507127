package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * PRIORITY, RFC 9113 §6.3: a deprecated signal that is parsed, checked and otherwise ignored. It
 * may come for a stream in any state.
 */
public record PriorityFrame(int streamId, Signal signal) implements Frame {
  public static final int TYPE = 0x2;

  /**
   * The priority signal of RFC 7540 §5.3.
   *
   * @param exclusive whether the stream wished to be the only one that depends on the other
   * @param dependency the stream that it depends on, 0 for none
   * @param weight 1 to 256
   */
  public record Signal(boolean exclusive, int dependency, int weight) {
    static final int BYTES = 5;

    static Signal decode(ByteBuffer in) {
      int word = FrameHeader.int32(in);
      return new Signal(word < 0, word & FrameHeader.MAX_31_BITS, (in.get() & 0xFF) + 1);
    }

    void encode(HpackOutput out) {
      FrameHeader.appendInt(out, exclusive ? dependency | 1 << 31 : dependency);
      out.putByte(weight - 1);
    }
  }

  static PriorityFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onStream(header, "PRIORITY", "RFC 9113 §6.3");
    if (header.length() != Signal.BYTES) {
      // RFC 9113 §6.3: of one stream, unlike the sizes of other frames.
      throw Http2Exception.stream(
          header.streamId(),
          ErrorCode.FRAME_SIZE_ERROR,
          "PRIORITY of " + header.length() + " bytes, must be 5 (RFC 9113 §6.3)");
    }
    Signal signal = Signal.decode(payload);
    if (signal.dependency() == header.streamId()) {
      throw Http2Exception.stream(
          header.streamId(),
          ErrorCode.PROTOCOL_ERROR,
          "stream " + header.streamId() + " depends on itself (RFC 7540 §5.3.1)");
    }
    return new PriorityFrame(header.streamId(), signal);
  }

  @Override
  public void encode(HpackOutput out) {
    FrameHeader.encode(out, Signal.BYTES, TYPE, 0, streamId);
    signal.encode(out);
  }
}
