package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * RST_STREAM, RFC 9113 §6.4: ends a stream at once.
 *
 * @param code the error code as sent, perhaps an unregistered one
 */
public record RstStreamFrame(int streamId, int code) implements Frame {
  public static final int TYPE = 0x3;

  private static final int BYTES = 4;

  public RstStreamFrame(int streamId, ErrorCode error) {
    this(streamId, error.code());
  }

  /** The reason, as {@link ErrorCode#of} maps the code. */
  public ErrorCode error() {
    return ErrorCode.of(code);
  }

  static RstStreamFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onStream(header, "RST_STREAM", "RFC 9113 §6.4");
    FrameChecks.length(header, BYTES, "RST_STREAM", "RFC 9113 §6.4");
    return new RstStreamFrame(header.streamId(), FrameHeader.int32(payload));
  }

  @Override
  public void encode(HpackOutput out) {
    encode(out, streamId, code);
  }

  /** Appends such a frame without creating an object. */
  public static void encode(HpackOutput out, int streamId, int code) {
    FrameHeader.encode(out, BYTES, TYPE, 0, streamId);
    FrameHeader.appendInt(out, code);
  }
}
