package heddle.websocket;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads frames. Holds little memory between them. For one thread at a time. */
final class FrameReader {
  /** Longer payloads get their memory as they arrive. */
  private static final int FIRST_BYTES = 8 * 1024;

  private final InputStream in;
  private final Role role;
  private final boolean compresses;

  /** What was read and not used: a header, and with it the payload of a short frame. */
  private final byte[] ahead = new byte[128];

  private int position;
  private int limit;

  /** {@code compresses}: whether compression was agreed on. */
  FrameReader(InputStream in, Role role, boolean compresses) {
    this.in = in;
    this.role = role;
    this.compresses = compresses;
  }

  /**
   * Waits for the header of the next frame.
   *
   * @return null if the peer has ended the connection between two frames
   * @throws WebSocketProtocolException if the header breaks a rule
   * @throws EOFException if the connection ends within it
   */
  @Nullable
  FrameHeader next() throws IOException {
    if (!fill(2)) {
      return null;
    }
    int size = FrameHeader.size(ahead[position + 1]);
    fill(size);
    FrameHeader header = FrameHeader.decode(ahead, position, role, compresses);
    position += size;
    return header;
  }

  /** Waits until this many bytes are ahead; false if the connection ends before the first. */
  private boolean fill(int count) throws IOException {
    if (limit - position >= count) {
      return true;
    }
    System.arraycopy(ahead, position, ahead, 0, limit - position);
    limit -= position;
    position = 0;
    while (limit < count) {
      int read = in.read(ahead, limit, ahead.length - limit);
      if (read < 0 && limit == 0) {
        return false;
      }
      if (read < 0) {
        throw new EOFException("the connection ended within the header of a frame");
      }
      limit += read;
    }
    return true;
  }

  /**
   * Reads the payload of the frame whose header was read last.
   *
   * @param before begins with {@code held} bytes that are to stand before the payload
   * @param header of a payload that fits into an array with these
   * @return an array that begins with both: {@code before} if both fit into it, otherwise a new one
   *     of exactly their length
   * @throws EOFException if the connection ends before
   */
  byte[] payload(byte[] before, int held, FrameHeader header) throws IOException {
    int end = held + Math.toIntExact(header.length());
    byte[] bytes = before;
    int at = held;
    while (at < end) {
      if (at == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(end, Math.max(at + FIRST_BYTES, 2 * at)));
      }
      int read = take(bytes, at, Math.min(end, bytes.length) - at);
      Masking.apply(bytes, at, read, header.key(), at - held);
      at += read;
    }
    return bytes;
  }

  private int take(byte[] target, int offset, int count) throws IOException {
    int held = limit - position;
    if (held > 0) {
      int taken = Math.min(held, count);
      System.arraycopy(ahead, position, target, offset, taken);
      position += taken;
      return taken;
    }
    int read = in.read(target, offset, count);
    if (read < 0) {
      throw new EOFException("the connection ended within a frame");
    }
    return read;
  }
}
