package heddle.connection;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A few large direct buffers for long responses: one large write costs less than several small
 * ones, and wakes the peer once. Buffers are allocated when first needed, and then kept.
 * Thread-safe.
 */
final class LargeBuffers {
  /** The size of each. */
  static final int BYTES = 512 * 1024;

  /** The number of buffers. When slow readers hold all of them, other responses use none. */
  static final int MOST = 8;

  private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger made = new AtomicInteger();

  /** Takes a buffer, which may hold old content. Returns null if all are in use. */
  @Nullable
  ByteBuffer take() {
    ByteBuffer kept = free.poll();
    if (kept != null) {
      return kept;
    }
    if (made.getAndUpdate(count -> Math.min(count + 1, MOST)) == MOST) {
      return null;
    }
    try {
      return ByteBuffer.allocateDirect(BYTES);
    } catch (OutOfMemoryError e) {
      // It stays counted, so that the allocation is not tried again: small pieces work as well.
      return null;
    }
  }

  void give(ByteBuffer taken) {
    free.add(taken);
  }
}
