package heddle.codec.http2.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * GOAWAY, RFC 9113 §6.8: its sender takes no new streams, or ends the connection.
 *
 * @param lastStreamId the highest stream of the receiver's that was or may yet be acted upon
 * @param code the error code as sent, perhaps an unregistered one
 * @param debug text of the sender; for a log, and not to be trusted
 */
public record GoAwayFrame(int lastStreamId, int code, ByteBuffer debug) implements Frame {
  public static final int TYPE = 0x7;

  private static final int FIXED_BYTES = 8;

  public GoAwayFrame(int lastStreamId, ErrorCode error, String debug) {
    this(lastStreamId, error.code(), ByteBuffer.wrap(debug.getBytes(UTF_8)));
  }

  /** GOAWAY always belongs to the connection. */
  @Override
  public int streamId() {
    return 0;
  }

  /** The reason, as {@link ErrorCode#of} maps the code. */
  public ErrorCode error() {
    return ErrorCode.of(code);
  }

  /** The debug data as text; bytes that are not UTF-8 are replaced. */
  public String debugText() {
    return UTF_8.decode(debug.duplicate()).toString();
  }

  static GoAwayFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onConnection(header, "GOAWAY", "RFC 9113 §6.8");
    FrameChecks.atLeast(header, FIXED_BYTES, "GOAWAY", "RFC 9113 §6.8");
    return new GoAwayFrame(FrameHeader.int31(payload), FrameHeader.int32(payload), payload);
  }

  @Override
  public void encode(HpackOutput out) {
    FrameHeader.encode(out, FIXED_BYTES + debug.remaining(), TYPE, 0, 0);
    FrameHeader.appendInt(out, lastStreamId);
    FrameHeader.appendInt(out, code);
    FrameHeader.append(out, debug);
  }
}
