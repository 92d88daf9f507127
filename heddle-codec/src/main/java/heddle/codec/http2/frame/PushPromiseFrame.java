package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * PUSH_PROMISE, RFC 9113 §6.6. Heddle refuses pushes by its SETTINGS; it parses the frame so that a
 * peer that pushes anyway gets the right error.
 *
 * @param promisedStreamId the stream that the server wants to push on
 * @param fragment the first part of the field block, without padding
 */
public record PushPromiseFrame(
    int streamId, boolean endHeaders, int promisedStreamId, ByteBuffer fragment) implements Frame {
  public static final int TYPE = 0x5;
  public static final int END_HEADERS = 0x4;
  public static final int PADDED = 0x8;

  private static final int FIXED_BYTES = 4;

  static PushPromiseFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onStream(header, "PUSH_PROMISE", "RFC 9113 §6.6");
    FrameChecks.atLeast(
        header, FIXED_BYTES + (header.has(PADDED) ? 1 : 0), "PUSH_PROMISE", "RFC 9113 §6.6");
    if (header.has(PADDED)) {
      FrameChecks.unpad(header, payload, FIXED_BYTES, "PUSH_PROMISE", "RFC 9113 §6.6");
    }
    int promised = FrameHeader.int31(payload);
    return new PushPromiseFrame(header.streamId(), header.has(END_HEADERS), promised, payload);
  }

  @Override
  public void encode(HpackOutput out) {
    int length = FIXED_BYTES + fragment.remaining();
    FrameHeader.encode(out, length, TYPE, endHeaders ? END_HEADERS : 0, streamId);
    FrameHeader.appendInt(out, promisedStreamId);
    FrameHeader.append(out, fragment);
  }
}
