package heddle.codec.http2.frame;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a reader made of its input, with the pieces of a DATA frame put together again. */
final class Reading {
  final FrameReader reader = new FrameReader(Settings.LEAST_FRAME_SIZE);
  final List<Frame> frames = new ArrayList<>();
  final List<Http2Exception> errors = new ArrayList<>();

  /** Feeds bytes, until a connection error. */
  Reading read(byte[] bytes, int from, int to) {
    // A copy: whoever reads a view of memory that has changed since would be seen.
    ByteBuffer in = ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to));
    // A frame has nine bytes, a piece at least one; and one may be there that needs none.
    for (int most = in.remaining() + 2; !isBroken(); most--) {
      if (most == 0) {
        throw new AssertionError("frames without end");
      }
      try {
        Frame frame = reader.next(in);
        if (frame == null) {
          if (in.hasRemaining()) {
            throw new AssertionError("left " + in.remaining() + " bytes of input");
          }
          return this;
        }
        add(frame);
      } catch (Http2Exception e) {
        errors.add(e);
      }
    }
    return this;
  }

  Reading read(byte[] bytes) {
    return read(bytes, 0, bytes.length);
  }

  Reading readInPieces(byte[] bytes, int pieceLength) {
    for (int at = 0; at < bytes.length; at += pieceLength) {
      read(bytes, at, Math.min(bytes.length, at + pieceLength));
    }
    return this;
  }

  boolean isBroken() {
    return !errors.isEmpty() && errors.getLast().connectionError();
  }

  private void add(Frame frame) {
    if (frame instanceof Frame.Data next
        && !frames.isEmpty()
        && frames.getLast() instanceof Frame.Data before
        && before.streamId() == next.streamId()
        && !before.endStream()) {
      ByteBuffer both =
          ByteBuffer.allocate(before.data().remaining() + next.data().remaining());
      both.put(before.data().duplicate()).put(next.data().duplicate()).flip();
      int flowControlled = before.flowControlled() + next.flowControlled();
      frames.set(
          frames.size() - 1,
          new Frame.Data(next.streamId(), next.endStream(), both, flowControlled));
    } else {
      frames.add(frame);
    }
  }

  /** Frames and errors, for comparison. */
  String transcript() {
    StringBuilder out = new StringBuilder();
    for (Frame frame : frames) {
      out.append(frame.getClass().getSimpleName()).append(' ');
      for (byte octet : FrameCase.encode(frame)) {
        out.append(String.format("%02x", octet));
      }
      out.append('\n');
    }
    for (Http2Exception error : errors) {
      out.append(error.code() + " " + error.streamId() + " " + error.getMessage())
          .append('\n');
    }
    return out.toString();
  }
}
