package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * DATA, RFC 9113 §6.1: content of a message; or, as {@link FrameReader} yields it, a piece of one
 * such frame.
 *
 * @param endStream whether the sender's half of the stream ends with it
 * @param data the content, without padding
 * @param flowControlled bytes that count against the windows: the content, the padding and the
 *     byte that gives its length (§6.9.1). Of a frame in pieces the first one counts the padding.
 */
public record DataFrame(int streamId, boolean endStream, ByteBuffer data, int flowControlled)
    implements Frame {
  public static final int TYPE = 0x0;
  public static final int END_STREAM = 0x1;
  public static final int PADDED = 0x8;

  /** A frame without padding. */
  public DataFrame(int streamId, boolean endStream, ByteBuffer data) {
    this(streamId, endStream, data, data.remaining());
  }

  static DataFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    check(header);
    if (header.has(PADDED)) {
      FrameChecks.unpad(header, payload, 0, "DATA", "RFC 9113 §6.1");
    }
    return new DataFrame(header.streamId(), header.has(END_STREAM), payload, header.length());
  }

  /** Checks what the header alone shows. */
  static void check(FrameHeader header) throws Http2Exception {
    FrameChecks.onStream(header, "DATA", "RFC 9113 §6.1");
    if (header.has(PADDED) && header.length() == 0) {
      // RFC 9113 §4.2: too small for what its flags announce; concerns one stream only.
      throw Http2Exception.stream(
          header.streamId(),
          ErrorCode.FRAME_SIZE_ERROR,
          "DATA with the PADDED flag and no payload (RFC 9113 §4.2, §6.1)");
    }
  }

  @Override
  public void encode(HpackOutput out) {
    int padding = flowControlled - data.remaining() - 1;
    int flags = (endStream ? END_STREAM : 0) | (padding >= 0 ? PADDED : 0);
    FrameHeader.encode(out, flowControlled, TYPE, flags, streamId);
    if (padding >= 0) {
      out.putByte(padding);
    }
    FrameHeader.append(out, data);
    for (int i = 0; i < padding; i++) {
      out.putByte(0);
    }
  }
}
