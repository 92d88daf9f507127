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
  /** One full record of the largest kind (RFC 5246 §6.2.3). */
  static final int RECORD_BYTES = 16 * 1024 + 2048 + 5;

  /** Four full records: 64 KiB of content in one write. */
  static final int BYTES = 4 * RECORD_BYTES;

  /** How many of each size are kept for the next writers. */
  private static final int KEPT = 16;

  private final AtomicReferenceArray<@Nullable ByteBuffer> large = new AtomicReferenceArray<>(KEPT);
  private final AtomicReferenceArray<@Nullable ByteBuffer> small = new AtomicReferenceArray<>(KEPT);

  /** An empty buffer of {@link #BYTES}. */
  ByteBuffer take() {
    return take(large, BYTES);
  }

  /** An empty buffer of {@link #RECORD_BYTES}, for content of at most 16 KiB. */
  ByteBuffer takeForRecord() {
    return take(small, RECORD_BYTES);
  }

  private static ByteBuffer take(AtomicReferenceArray<@Nullable ByteBuffer> kept, int bytes) {
    for (int i = 0; i < KEPT; i++) {
      ByteBuffer buffer = kept.get(i);
      if (buffer != null && kept.compareAndSet(i, buffer, null)) {
        return buffer.clear();
      }
    }
    return ByteBuffer.allocate(bytes);
  }

  void giveBack(ByteBuffer buffer) {
    switch (buffer.capacity()) {
      case BYTES -> giveBack(buffer, large);
      case RECORD_BYTES -> giveBack(buffer, small);
      default -> {
        // It was made for a provider whose records are larger, or to hold a flight or an alert.
      }
    }
  }

  private static void giveBack(ByteBuffer buffer, AtomicReferenceArray<@Nullable ByteBuffer> kept) {
    for (int i = 0; i < KEPT; i++) {
      if (kept.get(i) == null && kept.compareAndSet(i, null, buffer)) {
        return;
      }
    }
  }
}
