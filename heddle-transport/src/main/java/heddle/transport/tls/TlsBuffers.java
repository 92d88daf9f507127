package heddle.transport.tls;

import heddle.transport.EventLoop;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that the connections of one {@link JsseTls} share, all in the heap: the JDK encrypts
 * fastest in place in an array. Those for ciphertext on its way out are lent to a writer for one
 * write, so connections that write nothing hold none. Safe for use by many threads.
 */
final class TlsBuffers {
  static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  /** One full record of the largest kind (RFC 5246 §6.2.3). */
  static final int RECORD_BYTES = 16 * 1024 + 2048 + 5;

  static final int BYTES = 4 * RECORD_BYTES; // For 64 KiB of content in one write.

  /**
   * What a loop reads at once, and two records more: the record that was cut in the read before
   * ends in this one, so that all of it is handed on in one call.
   */
  private static final int SCRATCH_BYTES = 64 * 1024 + 2 * 18 * 1024;

  /** How many of each size are kept for the next writers. */
  private static final int KEPT = 16;

  private final AtomicReferenceArray<@Nullable ByteBuffer> large = new AtomicReferenceArray<>(KEPT);
  private final AtomicReferenceArray<@Nullable ByteBuffer> small = new AtomicReferenceArray<>(KEPT);
  private final ConcurrentHashMap<EventLoop, ByteBuffer> scratch = new ConcurrentHashMap<>();

  /** The loop's own, for decrypted content, which it hands on before the next connection's. */
  ByteBuffer scratchOf(EventLoop loop) {
    return scratch.computeIfAbsent(loop, each -> ByteBuffer.allocate(SCRATCH_BYTES));
  }

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

  /** Keeps no buffers of other sizes: those for large records, a flight or an alert. */
  void giveBack(ByteBuffer buffer) {
    int size = buffer.capacity();
    if (size != BYTES && size != RECORD_BYTES) {
      return;
    }
    var kept = size == BYTES ? large : small;
    for (int i = 0; i < KEPT; i++) {
      if (kept.get(i) == null && kept.compareAndSet(i, null, buffer)) {
        return;
      }
    }
  }
}
