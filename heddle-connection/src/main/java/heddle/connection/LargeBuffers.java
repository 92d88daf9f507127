package heddle.connection;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A few large buffers outside of the heap, in which long responses are gathered: one write of much
 * costs the system less than several, and wakes the peer once. They are made when they are needed
 * and kept. Thread-safe.
 */
final class LargeBuffers {
  /** The size of each. */
  static final int BYTES = 512 * 1024;

  /** How many there are at most: responses beyond them, or beside slow readers, do without. */
  static final int MOST = 8;

  private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger made = new AtomicInteger();

  /** Returns an empty one, which the caller gives back; null if all are in use. */
  @Nullable
  ByteBuffer take() {
    ByteBuffer kept = free.poll();
    if (kept != null) {
      return kept.clear();
    }
    if (made.getAndUpdate(count -> Math.min(count + 1, MOST)) == MOST) {
      return null;
    }
    try {
      return ByteBuffer.allocateDirect(BYTES);
    } catch (OutOfMemoryError e) {
      // Counted as made, so that none is tried again: the heap's pieces serve as well.
      return null;
    }
  }

  void give(ByteBuffer taken) {
    free.add(taken);
  }
}
