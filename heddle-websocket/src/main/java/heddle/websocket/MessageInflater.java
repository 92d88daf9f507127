package heddle.websocket;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Decompresses messages (RFC 7692 section 7.2.2). For one thread at a time. */
final class MessageInflater implements AutoCloseable {
  /** The end of a flush, which is left out of each message. */
  private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

  /**
   * Empty stored blocks, which add no output after a complete block. An incomplete block reads them
   * as the rest of its head or content, so that they add output or are malformed. Together they are
   * longer than the longest head of a block, 553 bytes (RFC 1951 section 3.2.7).
   */
  private static final byte[] PROBE = new byte[5 * 128];

  static {
    for (int i = 0; i < PROBE.length; i += 5) {
      PROBE[i + 3] = (byte) 0xFF;
      PROBE[i + 4] = (byte) 0xFF;
    }
  }

  private static final int FIRST_BYTES = 8 * 1024;

  private final boolean keepsContext;
  private final int mostBytes;
  private final MessageMemory memory;
  private @Nullable Inflater open;

  private int compressedBytes;
  private byte[] bytes = {};
  private int count;

  /**
   * {@code keepsContext}: whether messages may refer to earlier ones.
   *
   * @param mostBytes the limit for a message
   * @param memory for a message, compressed and decompressed
   */
  MessageInflater(boolean keepsContext, int mostBytes, MessageMemory memory) {
    this.keepsContext = keepsContext;
    this.mostBytes = mostBytes;
    this.memory = memory;
  }

  /**
   * Decompresses a message.
   *
   * @throws WebSocketProtocolException if it is not compressed as it must be, or becomes too large
   * @throws IOException if there is no memory for it
   */
  byte[] decompress(byte[] compressed, int length) throws IOException {
    Inflater inflater = open == null ? new Inflater(true) : open;
    open = keepsContext ? inflater : null;
    try {
      compressedBytes = compressed.length;
      count = 0;
      resize(Math.min(mostBytes, Math.max(FIRST_BYTES, length)));
      inflate(inflater, compressed, length);
      int size = count;
      inflate(inflater, TAIL, TAIL.length);
      inflate(inflater, PROBE, PROBE.length);
      if (count != size) {
        throw new DataFormatException("it ends within a block");
      }
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
      throws DataFormatException, IOException {
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

  private void grow() throws IOException {
    // One byte more than allowed shows that there is more.
    int size = Growth.of(count, 64, mostBytes + 1L);
    if (count > mostBytes || size == count) {
      throw MessageReader.tooLarge(mostBytes);
    }
    resize(size);
  }

  private void resize(int size) throws IOException {
    memory.reserve((long) compressedBytes + size);
    bytes = Arrays.copyOf(bytes, size);
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
