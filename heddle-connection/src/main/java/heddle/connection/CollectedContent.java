package heddle.connection;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Small content of a known length that a server collects before it announces the request. Its
 * memory grows with the content received, not with the length announced. For use by one thread.
 */
public final class CollectedContent {
  private static final byte[] NONE = {};
  private static final int LEAST_BYTES = 256;

  private final int length;
  private byte[] bytes = NONE;
  private int filled;

  /** For a length that the peer has announced, which the session enforces. */
  public CollectedContent(int length) {
    this.length = length;
  }

  /** Takes all of {@code piece}; copied. */
  public void append(ByteBuffer piece) {
    int all = filled + piece.remaining();
    if (all > bytes.length) {
      int room = all == length ? length : Math.min(length, Math.max(LEAST_BYTES, 2 * all));
      bytes = Arrays.copyOf(bytes, room);
    }
    piece.get(bytes, filled, all - filled);
    filled = all;
  }

  /** The content received so far; must not be changed. */
  public ByteBuffer begun() {
    return ByteBuffer.wrap(bytes, 0, filled);
  }

  /** The whole content, which has arrived; the array belongs to the caller from now on. */
  public byte[] whole() {
    return bytes.length == filled ? bytes : Arrays.copyOf(bytes, filled);
  }

  /** How many bytes of memory the content takes. */
  public int heldBytes() {
    return bytes.length;
  }
}
