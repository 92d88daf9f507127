package heddle.websocket;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Decompresses messages (RFC 7692 section 7.2.2). For one thread at a time. */
final class MessageInflater implements AutoCloseable {
  /** The end of a flush, which is left out of each message. */
  private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

  private static final int FIRST_BYTES = 8 * 1024;

  private final boolean keepsContext;
  private final int mostBytes;
  private @Nullable Inflater open;

  private byte[] bytes = {};
  private int count;

  /**
   * {@code keepsContext}: whether messages may refer to earlier ones.
   *
   * @param mostBytes the limit for a message
   */
  MessageInflater(boolean keepsContext, int mostBytes) {
    this.keepsContext = keepsContext;
    this.mostBytes = mostBytes;
  }

  /**
   * Decompresses a message.
   *
   * @throws WebSocketProtocolException if it is not compressed as it must be, or becomes too large
   */
  byte[] decompress(byte[] compressed, int size) throws WebSocketProtocolException {
    Inflater inflater = open == null ? new Inflater(true) : open;
    open = keepsContext ? inflater : null;
    try {
      bytes = new byte[Math.min(mostBytes, Math.max(FIRST_BYTES, size))];
      count = 0;
      inflate(inflater, compressed, size);
      inflate(inflater, TAIL, TAIL.length);
      return Arrays.copyOf(bytes, count);
    } catch (DataFormatException e) {
      throw new WebSocketProtocolException(
          CloseReason.INVALID_DATA, "a compressed message that is corrupt: " + e.getMessage());
    } finally {
      bytes = new byte[0];
      if (!keepsContext) {
        inflater.end();
      }
    }
  }

  private void inflate(Inflater inflater, byte[] input, int size)
      throws DataFormatException, WebSocketProtocolException {
    inflater.setInput(input, 0, size);
    while (true) {
      if (count == bytes.length) {
        grow();
      }
      int from = count;
      count += inflater.inflate(bytes, count, bytes.length - count);
      if (inflater.finished()) {
        // A final block may be followed by others (RFC 7692 section 7.2.3.5).
        int left = inflater.getRemaining();
        inflater.reset();
        inflater.setInput(input, size - left, left);
      } else if (inflater.needsDictionary()) {
        throw new DataFormatException("it asks for a dictionary");
      } else if (count < bytes.length && inflater.needsInput()) {
        return;
      } else if (count == from && count < bytes.length) {
        throw new DataFormatException("it does not go on");
      }
    }
  }

  private void grow() throws WebSocketProtocolException {
    if (count > mostBytes) {
      throw MessageReader.tooLarge(mostBytes);
    }
    // One byte more than allowed shows that there is more.
    bytes = Arrays.copyOf(bytes, (int) Math.min(mostBytes + 1L, Math.max(64L, 2L * count)));
  }

  /** Frees native memory. */
  @Override
  public void close() {
    if (open != null) {
      open.end();
      open = null;
    }
  }
}
