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
 * its content is handed on in pieces on arrival, each a {@link DataFrame}. Between frames the
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

  /** What {@link #contentBegun} says. */
  private int contentBegun;

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
    if (maxFrameSize < Settings.LEAST_FRAME_SIZE || maxFrameSize > Settings.MOST_FRAME_SIZE) {
      throw new IllegalArgumentException(
          "maxFrameSize is " + maxFrameSize + ", must be from 16384 to 16777215");
    }
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
        contentBegun = frame == null ? contentBegun : pieces.takeContentBegun();
        more = pieces.isOver();
        pieces = more ? null : pieces;
      } else if (skip > 0) {
        more = skipped(in);
      } else if (header != null) {
        ByteBuffer payload = gather(in, header.length());
        more = payload != null;
        if (payload != null) {
          frame = decode(header, payload);
          contentBegun = frame instanceof DataFrame data ? data.data().remaining() : -1;
        }
      } else {
        more = begin(in);
      }
      if (frame != null || !more) {
        return frame;
      }
    }
  }

  /**
   * Bytes of content, without padding, of the whole DATA frame that the last call of {@link #next}
   * has yielded, or has yielded the first piece of; -1 if it was a later piece, or another frame.
   */
  public int contentBegun() {
    return contentBegun;
  }

  /** Whether the input so far ends within HEADERS, or between the frames of a field block. */
  public boolean isInFieldBlock() {
    return blockOf != 0 || (header != null && header.type() == HeadersFrame.TYPE);
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

  private Frame decode(FrameHeader whole, ByteBuffer payload) throws Http2Exception {
    header = null;
    return Frame.decode(whole, payload);
  }

  private boolean skipped(ByteBuffer in) {
    int count = Math.min(skip, in.remaining());
    in.position(in.position() + count);
    skip -= count;
    return skip == 0;
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
    if (next.type() == DataFrame.TYPE) {
      beginData(next, in);
    } else if (next.length() > maxFrameSize) {
      throw tooLarge(next);
    } else {
      header = next;
    }
    return true;
  }

  private void beginData(FrameHeader next, ByteBuffer in) throws Http2Exception {
    DataFrame.check(next);
    if (next.length() > maxFrameSize) {
      pieces = new DataPieces(next);
      throw Http2Exception.stream(next.streamId(), ErrorCode.FRAME_SIZE_ERROR, tooLong(next));
    }
    if (in.remaining() >= next.length()) {
      header = next;
    } else {
      pieces = new DataPieces(next);
    }
  }

  /** Nothing may come between the frames of a field block, RFC 9113 §4.3, §6.2, §6.10. */
  private void checkOrder(FrameHeader next) throws Http2Exception {
    boolean continues = next.type() == ContinuationFrame.TYPE;
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
      // The flag is the same bit in all three.
      case HeadersFrame.TYPE, PushPromiseFrame.TYPE, ContinuationFrame.TYPE ->
        blockOf = next.has(HeadersFrame.END_HEADERS) ? 0 : next.streamId();
      default -> {}
    }
  }

  /**
   * RFC 9113 §4.2: a size error in a frame that can alter the state of the whole connection is the
   * connection's; so are those of RST_STREAM (§6.4) and WINDOW_UPDATE (§6.9).
   */
  private Http2Exception tooLarge(FrameHeader next) {
    boolean ofStream = next.streamId() != 0
        && switch (next.type()) {
          case HeadersFrame.TYPE,
              RstStreamFrame.TYPE,
              SettingsFrame.TYPE,
              PushPromiseFrame.TYPE,
              PingFrame.TYPE,
              GoAwayFrame.TYPE,
              WindowUpdateFrame.TYPE,
              ContinuationFrame.TYPE,
              PriorityUpdateFrame.TYPE -> false;
          default -> true;
        };
    if (!ofStream) {
      return Http2Exception.connection(ErrorCode.FRAME_SIZE_ERROR, tooLong(next));
    }
    skip = next.length();
    return Http2Exception.stream(next.streamId(), ErrorCode.FRAME_SIZE_ERROR, tooLong(next));
  }

  private String tooLong(FrameHeader next) {
    return "a frame of type " + next.type() + " with " + next.length() + " bytes, must be at most "
        + maxFrameSize + " (RFC 9113 §4.2)";
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
}
