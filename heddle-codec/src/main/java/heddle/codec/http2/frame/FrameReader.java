package heddle.codec.http2.frame;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes frames out of a stream of bytes that is cut anywhere. It checks only framing: sizes, which
 * frames may be on stream 0, padding, and that nothing comes between the parts of a field block
 * (RFC 9113 §4, §6). The session decides what a frame means for its stream.
 *
 * <p>A frame that is whole in the input is read in place. An incomplete one is gathered, at most
 * our SETTINGS_MAX_FRAME_SIZE, in memory that grows with the bytes received. DATA is the exception:
 * its content is handed on in pieces on arrival, each a {@link Frame.Data}. Between frames the
 * reader holds no buffer. For one thread at a time.
 */
public final class FrameReader {
  /** An incomplete frame is gathered in an array of at least this many bytes. */
  private static final int LEAST_GATHERED = 256;

  private final int maxFrameSize;
  private final boolean reusesViews;

  /** The view of the last frame, if views are reused. */
  private @Nullable ByteBuffer view;

  /** The stream whose field block is not complete, 0 if there is none (RFC 9113 §4.3). */
  private int blockOf;

  /** The frame whose payload is not complete; null between frames, and for DATA. */
  private @Nullable FrameHeader header;

  /** The DATA frame under way, if it did not come whole; null otherwise. */
  private @Nullable DataPieces pieces;

  /** The beginning of a header or payload that was cut; null otherwise. */
  private byte @Nullable [] cut;

  private int cutLength;

  /** Bytes still to be passed over, of a payload that is refused. */
  private int skip;

  /**
   * A reader at the start of a connection's frames, behind the client's preface.
   *
   * @param maxFrameSize what we advertise as SETTINGS_MAX_FRAME_SIZE, 2^14 to 2^24-1
   */
  public FrameReader(int maxFrameSize) {
    this(maxFrameSize, false);
  }

  /**
   * A reader whose frames may share one view of the input: what stands in a frame is valid until
   * the next call of {@link #next} only, and costs no buffer object.
   */
  public FrameReader(int maxFrameSize, boolean reusesViews) {
    Settings.checkFrameSize(maxFrameSize);
    this.maxFrameSize = maxFrameSize;
    this.reusesViews = reusesViews;
  }

  /**
   * Takes the next frame out of {@code in}. Call it until it returns null: then all input was
   * consumed.
   *
   * @return the frame, or a piece of a DATA frame; buffers in it are views of {@code in}, or of an
   *     array that is not used again
   * @throws Http2Exception if a frame is malformed. After a connection error the reader is of no
   *     further use; after a stream error it goes on with what follows. A DATA frame that is too
   *     large is reported as an error first, and then still comes in pieces, so that its bytes can
   *     be counted against the connection's window
   */
  public @Nullable Frame next(ByteBuffer in) throws Http2Exception {
    while (true) {
      Frame frame = null;
      boolean more;
      if (pieces != null) {
        frame = pieces.next(in);
        more = pieces.isOver();
        pieces = more ? null : pieces;
      } else if (skip > 0) {
        int count = Math.min(skip, in.remaining());
        in.position(in.position() + count);
        skip -= count;
        more = skip == 0;
      } else if (header != null) {
        ByteBuffer payload = gather(in, header.length());
        more = payload != null;
        if (payload != null) {
          FrameHeader whole = header;
          header = null;
          frame = Frame.decode(whole, payload);
        }
      } else {
        more = begin(in);
      }
      if (frame != null || !more) {
        return frame;
      }
    }
  }

  /** Whether the input so far ends within HEADERS, or between the frames of a field block. */
  public boolean isInFieldBlock() {
    return blockOf != 0 || (header != null && header.type() == Frame.Headers.TYPE);
  }

  /** Bytes of memory that the beginning of a frame takes which was cut. */
  public int heldBytes() {
    byte[] gathered = cut;
    return gathered == null ? 0 : gathered.length;
  }

  /** Drops the beginning of an incomplete frame. The reader is of no further use. */
  public void abandon() {
    cut = null;
  }

  /** Whether the input so far ends in the middle of a frame or of a field block. */
  public boolean isMidFrame() {
    return header != null || pieces != null || cut != null || skip > 0 || blockOf != 0;
  }

  /** Takes a header and checks it; returns false if it is not complete. */
  private boolean begin(ByteBuffer in) throws Http2Exception {
    ByteBuffer whole =
        cut == null && in.remaining() >= FrameHeader.BYTES ? in : gather(in, FrameHeader.BYTES);
    if (whole == null) {
      return false;
    }
    FrameHeader next = FrameHeader.decode(whole);
    checkOrder(next);
    boolean isData = next.type() == Frame.Data.TYPE;
    boolean fits = next.length() <= maxFrameSize;
    if (isData) {
      Frame.Data.check(next);
    }
    if (isData && (!fits || in.remaining() < next.length())) {
      pieces = new DataPieces(next);
    } else if (fits) {
      header = next;
    }
    if (!fits) {
      throw tooLarge(next);
    }
    return true;
  }

  /** Nothing may come between the frames of a field block, RFC 9113 §4.3, §6.2, §6.10. */
  private void checkOrder(FrameHeader next) throws Http2Exception {
    boolean continues = next.type() == Frame.Continuation.TYPE;
    if (blockOf != 0 && (!continues || next.streamId() != blockOf)) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR,
          "a frame of type " + next.type() + " on stream " + next.streamId()
              + " inside the field block of stream " + blockOf + ", must be CONTINUATION"
              + " (RFC 9113 §6.10)");
    }
    if (blockOf == 0 && continues) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR,
          "CONTINUATION on stream " + next.streamId()
              + " without a field block to go on with (RFC 9113 §6.10)");
    }
    switch (next.type()) {
      case Frame.Headers.TYPE, Frame.PushPromise.TYPE, Frame.Continuation.TYPE ->
        blockOf = next.has(Frame.END_HEADERS) ? 0 : next.streamId();
      default -> {}
    }
  }

  /**
   * RFC 9113 §4.2: a size error in a frame that can alter the state of the whole connection is the
   * connection's; so are those of RST_STREAM (§6.4) and WINDOW_UPDATE (§6.9).
   */
  private Http2Exception tooLarge(FrameHeader next) {
    int type = next.type();
    boolean isKnown = type <= Frame.Continuation.TYPE || type == Frame.PriorityUpdate.TYPE;
    boolean ofStream = type == Frame.Data.TYPE || type == Frame.Priority.TYPE || !isKnown;
    skip = type == Frame.Data.TYPE ? 0 : next.length();
    return Http2Exception.of(
        ofStream ? next.streamId() : 0,
        ErrorCode.FRAME_SIZE_ERROR,
        "a frame of type " + type + " with " + next.length() + " bytes, must be at most "
            + maxFrameSize + " (RFC 9113 §4.2)");
  }

  /** A view of the next {@code count} bytes of {@code in}; reuses the last view if allowed. */
  private ByteBuffer view(ByteBuffer in, int count) {
    if (!reusesViews) {
      return in.slice(in.position(), count);
    }
    ByteBuffer known = view;
    if (known == null || known.array() != in.array() || known.arrayOffset() != 0) {
      known = ByteBuffer.wrap(in.array());
      view = known;
    }
    int from = in.arrayOffset() + in.position();
    return known.clear().limit(from + count).position(from);
  }

  /** The next {@code count} bytes, in place if all are there; null if some are missing. */
  private @Nullable ByteBuffer gather(ByteBuffer in, int count) {
    byte[] gathered = cut;
    if (gathered == null) {
      if (in.remaining() >= count) {
        ByteBuffer inPlace = view(in, count);
        in.position(in.position() + count);
        return inPlace;
      }
      if (!in.hasRemaining()) {
        return null;
      }
      gathered = new byte[Math.min(count, Math.max(LEAST_GATHERED, 2 * in.remaining()))];
      cut = gathered;
      cutLength = 0;
    }
    int taken = Math.min(count - cutLength, in.remaining());
    if (cutLength + taken > gathered.length) {
      // Grows with the bytes received, not with what the frame's header announces.
      gathered = Arrays.copyOf(gathered, Math.min(count, 2 * (cutLength + taken)));
      cut = gathered;
    }
    in.get(gathered, cutLength, taken);
    cutLength += taken;
    if (cutLength < count) {
      return null;
    }
    cut = null;
    return ByteBuffer.wrap(gathered, 0, count);
  }

  /** One DATA frame that is not whole in the input: handed on piece by piece as bytes arrive. */
  private static final class DataPieces {
    private final FrameHeader header;

    /** Bytes of content still to come; includes the padding until its length is known. */
    private int content;

    /** Bytes of padding still to come; -1 until their number is known. */
    private int padding;

    /** Bytes of content in the whole frame; -1 once a piece was made. */
    private int begun;

    /** Bytes that count against the windows and were in no piece yet. */
    private int untold;

    DataPieces(FrameHeader header) {
      this.header = header;
      content = header.length();
      begun = content;
      padding = header.has(Frame.PADDED) ? -1 : 0;
    }

    /** Whether all of the frame was consumed. */
    boolean isOver() {
      return content == 0 && padding == 0;
    }

    /** The next piece; null if the input is consumed, or all of the frame was handed on. */
    Frame.@Nullable Data next(ByteBuffer in) throws Http2Exception {
      if (padding < 0) {
        if (!in.hasRemaining()) {
          return null;
        }
        padding = in.get() & 0xFF;
        content -= 1 + padding;
        if (content < 0) {
          throw header.tooMuchPadding(padding);
        }
        begun = content;
        untold = 1 + padding;
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
      boolean last = isOver() && header.has(Frame.END_STREAM);
      int flowControlled = untold + length;
      if (flowControlled == 0 && !last) {
        return null;
      }
      untold = 0;
      var piece = new Frame.Data(header.streamId(), last, data, flowControlled, begun);
      begun = -1;
      return piece;
    }
  }
}
