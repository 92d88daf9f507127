package heddle.codec.http2.frame;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One DATA frame that is not whole in the input: handed on piece by piece as bytes arrive. */
final class DataPieces {
  private final FrameHeader header;

  /** Bytes of content still to come; includes the padding until its length is known. */
  private int content;

  private int padding;
  private boolean paddingKnown;

  /** Bytes of content in the whole frame; -1 once that was taken. */
  private int contentBegun;

  /** Bytes that count against the windows and were in no piece yet. */
  private int untold;

  DataPieces(FrameHeader header) {
    this.header = header;
    content = header.length();
    contentBegun = content;
    paddingKnown = !header.has(DataFrame.PADDED);
  }

  /** Whether all of the frame was consumed. */
  boolean isOver() {
    return paddingKnown && content == 0 && padding == 0;
  }

  /** Bytes of content in the whole frame, for its first piece; -1 for those that follow. */
  int takeContentBegun() {
    int bytes = contentBegun;
    contentBegun = -1;
    return bytes;
  }

  /** The next piece; null if the input is consumed, or all of the frame was handed on. */
  @Nullable
  DataFrame next(ByteBuffer in) throws Http2Exception {
    if (!paddingKnown && !takePaddingLength(in)) {
      return null;
    }
    int length = Math.min(content, in.remaining());
    ByteBuffer data = in.slice(in.position(), length);
    in.position(in.position() + length);
    content -= length;
    if (content == 0) {
      int skipped = Math.min(padding, in.remaining());
      in.position(in.position() + skipped);
      padding -= skipped;
    }
    boolean last = isOver() && header.has(DataFrame.END_STREAM);
    int flowControlled = untold + length;
    if (flowControlled == 0 && !last) {
      return null;
    }
    untold = 0;
    return new DataFrame(header.streamId(), last, data, flowControlled);
  }

  private boolean takePaddingLength(ByteBuffer in) throws Http2Exception {
    if (!in.hasRemaining()) {
      return false;
    }
    padding = in.get() & 0xFF;
    content -= 1 + padding;
    if (content < 0) {
      throw FrameChecks.tooMuchPadding(header, padding, "DATA", "RFC 9113 §6.1");
    }
    contentBegun = content;
    untold = 1 + padding;
    paddingKnown = true;
    return true;
  }
}
