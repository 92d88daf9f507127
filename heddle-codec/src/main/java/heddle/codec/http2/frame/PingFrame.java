package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * PING, RFC 9113 §6.7: asks for an acknowledgement that carries the same data, or is one.
 *
 * @param data eight bytes of the sender's choice, the first of them the most significant
 */
public record PingFrame(boolean ack, long data) implements Frame {
  public static final int TYPE = 0x6;
  public static final int ACK = 0x1;

  private static final int BYTES = 8;

  /** PING always belongs to the connection. */
  @Override
  public int streamId() {
    return 0;
  }

  static PingFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onConnection(header, "PING", "RFC 9113 §6.7");
    FrameChecks.length(header, BYTES, "PING", "RFC 9113 §6.7");
    long high = FrameHeader.int32(payload);
    long low = Integer.toUnsignedLong(FrameHeader.int32(payload));
    return new PingFrame(header.has(ACK), high << 32 | low);
  }

  @Override
  public void encode(HpackOutput out) {
    FrameHeader.encode(out, BYTES, TYPE, ack ? ACK : 0, 0);
    FrameHeader.appendInt(out, (int) (data >>> 32));
    FrameHeader.appendInt(out, (int) data);
  }
}
