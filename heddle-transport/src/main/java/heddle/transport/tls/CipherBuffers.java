package heddle.transport.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for ciphertext on its way out, lent to a writer for the time of one write. Connections
 * that write nothing hold none. Safe for use by many threads, without a lock.
 *
 * <p>Heap buffers: the JDK encrypts fastest in place in an array.
 */
final class CipherBuffers {
  /** Four full records of the largest kind (RFC 5246 §6.2.3): 64 KiB of content in one write. */
  static final int BYTES = 4 * (16 * 1024 + 2048 + 5);

  /** So many are kept when nobody uses them. */
  private static final int KEPT = Optimisations.BUFFERS_POOLED ? 16 : 0;

  private final AtomicReferenceArray<@Nullable ByteBuffer> kept = new AtomicReferenceArray<>(KEPT);

  /** An empty buffer. */
  ByteBuffer take() {
    for (int i = 0; i < KEPT; i++) {
      ByteBuffer buffer = kept.get(i);
      if (buffer != null && kept.compareAndSet(i, buffer, null)) {
        return buffer.clear();
      }
    }
    return Optimisations.HEAP_BUFFERS
        ? ByteBuffer.allocate(BYTES)
        : ByteBuffer.allocateDirect(BYTES);
  }

  void giveBack(ByteBuffer buffer) {
    if (buffer.capacity() != BYTES) {
      return;
    }
    for (int i = 0; i < KEPT; i++) {
      if (kept.get(i) == null && kept.compareAndSet(i, null, buffer)) {
        return;
      }
    }
  }
}
