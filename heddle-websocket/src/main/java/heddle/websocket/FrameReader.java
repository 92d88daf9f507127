package heddle.websocket;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads frames. Holds little memory between them. For one thread at a time. */
final class FrameReader {
  /** Longer payloads get their memory as they arrive. */
  private static final int FIRST_BYTES = 8 * 1024;

  private static final byte[] NONE = {};

  /** For frames that are always short. */
  private static final MessageMemory UNCOUNTED = new MessageMemory(MessageMemory.Account.NONE);

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
   * @throws WebSocketProtocolException if the header breaks a rule
   * @throws EOFException if the connection ends before or within it
   */
  FrameHeader next() throws IOException {
    fill(2);
    int size = FrameHeader.size(ahead[position + 1]);
    fill(size);
    FrameHeader header = FrameHeader.decode(ahead, position, role, compresses);
    position += size;
    return header;
  }

  /** Waits until this many bytes are ahead. */
  private void fill(int count) throws IOException {
    if (limit - position >= count) {
      return;
    }
    System.arraycopy(ahead, position, ahead, 0, limit - position);
    limit -= position;
    position = 0;
    while (limit < count) {
      int read = in.read(ahead, limit, ahead.length - limit);
      if (read < 0) {
        throw new EOFException(
            limit == 0
                ? "the peer ended the connection without a Close frame"
                : "the connection ended within the header of a frame");
      }
      limit += read;
    }
  }

  /**
   * Reads the payload of the frame whose header was read last.
   *
   * @param before begins with {@code held} bytes that are to stand before the payload
   * @param header of a payload that fits into an array with these
   * @param memory for the array
   * @return an array that begins with both: {@code before} if both fit into it, otherwise a new one
   *     of exactly their length
   * @throws EOFException if the connection ends before
   */
  byte[] payload(byte[] before, int held, FrameHeader header, MessageMemory memory)
      throws IOException {
    int end = held + Math.toIntExact(header.length());
    byte[] bytes = before;
    int at = held;
    while (at < end) {
      if (at == bytes.length) {
        int size = Growth.of(at, FIRST_BYTES, end);
        memory.reserve(size);
        bytes = Arrays.copyOf(bytes, size);
      }
      int read = take(bytes, at, Math.min(end, bytes.length) - at);
      Masking.apply(bytes, at, read, header.key(), at - held);
      at += read;
    }
    return bytes;
  }

  /** Reads the payload of the control frame whose header was read last: at most 125 bytes. */
  byte[] control(FrameHeader header) throws IOException {
    return payload(NONE, 0, header, UNCOUNTED);
  }

  /**
   * Waits for more of the payload of the frame whose header was read last.
   *
   * @param from how many of its bytes were read before, fewer than all
   * @param most at least 1
   * @return what has arrived of it, from 1 to {@code most} bytes
   * @throws EOFException if the connection ends before
   */
  byte[] part(FrameHeader header, long from, int most) throws IOException {
    if (position == limit) {
      position = 0;
      limit = 0;
      limit = take(ahead, 0, ahead.length);
    }
    long arrived = (long) limit - position + in.available();
    byte[] part = new byte[(int) Math.min(header.length() - from, Math.min(most, arrived))];
    int at = 0;
    while (at < part.length) {
      at += take(part, at, part.length - at);
    }
    Masking.apply(part, 0, part.length, header.key(), from);
    return part;
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
