package heddle.connection;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Small content of a known length that a server collects before it announces the request. Its
 * memory grows with the content that has come, not with the length that the peer has announced. For
 * one thread.
 */
public final class CollectedContent {
  private static final byte[] NONE = {};
  private static final int LEAST_BYTES = 256;

  private final int length;
  private byte[] bytes = NONE;
  private int filled;

  /**
   * @param length what the peer has announced, which the session holds the content to
   */
  public CollectedContent(int length) {
    this.length = length;
  }

  /** Takes all of {@code piece}; copied. */
  public void append(ByteBuffer piece) {
    int count = piece.remaining();
    int all = filled + count;
    if (all > bytes.length) {
      int room = all == length ? length : Math.min(length, Math.max(LEAST_BYTES, 2 * all));
      bytes = Arrays.copyOf(bytes, room);
    }
    piece.get(bytes, filled, count);
    filled = all;
  }

  /** What has come so far, not to be changed. */
  public ByteBuffer begun() {
    return ByteBuffer.wrap(bytes, 0, filled);
  }

  /** All content, which has come; the array is the caller's from now on. */
  public byte[] whole() {
    return bytes.length == filled ? bytes : Arrays.copyOf(bytes, filled);
  }

  /** How many bytes of memory it takes. */
  public int heldBytes() {
    return bytes.length;
  }
}
