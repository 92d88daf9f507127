package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * CONTINUATION, RFC 9113 §6.10: a further part of the field block that a HEADERS or PUSH_PROMISE
 * frame began.
 *
 * @param endHeaders whether the field block ends with it
 */
public record ContinuationFrame(int streamId, boolean endHeaders, ByteBuffer fragment)
    implements Frame {
  public static final int TYPE = 0x9;
  public static final int END_HEADERS = 0x4;

  static ContinuationFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onStream(header, "CONTINUATION", "RFC 9113 §6.10");
    return new ContinuationFrame(header.streamId(), header.has(END_HEADERS), payload);
  }

  @Override
  public void encode(HpackOutput out) {
    FrameHeader.encode(out, fragment.remaining(), TYPE, endHeaders ? END_HEADERS : 0, streamId);
    FrameHeader.append(out, fragment);
  }

  /**
   * Cuts a block that is longer than a frame, in place: puts the header of a CONTINUATION frame
   * before each further part, from the last to the first, so that each byte moves once.
   *
   * @param at where the header of the first frame is reserved; it stays as it is
   */
  static void split(HpackOutput out, int at, int block, int maxFrameSize, int streamId) {
    int further = (block - 1) / maxFrameSize;
    FrameHeader.grow(out, further * FrameHeader.BYTES);
    byte[] bytes = out.array();
    int start = at + FrameHeader.BYTES;
    for (int i = further; i > 0; i--) {
      int from = start + i * maxFrameSize;
      int length = Math.min(maxFrameSize, block - i * maxFrameSize);
      int to = from + i * FrameHeader.BYTES;
      System.arraycopy(bytes, from, bytes, to, length);
      int flags = i == further ? END_HEADERS : 0;
      FrameHeader.write(bytes, to - FrameHeader.BYTES, length, TYPE, flags, streamId);
    }
  }
}
