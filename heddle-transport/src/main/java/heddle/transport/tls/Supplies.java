package heddle.transport.tls;

import heddle.transport.EventLoop;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;

/** The buffers that the connections of one {@link JsseTls} share. Safe for use by many threads. */
final class Supplies {
  /**
   * What a loop reads at once, and two records more: the record that was cut in the read before
   * ends in this one, so that all of it is handed on in one call.
   */
  private static final int SCRATCH_BYTES = 64 * 1024 + 2 * 18 * 1024;

  private final CipherBuffers buffers = new CipherBuffers();
  private final ConcurrentHashMap<EventLoop, ByteBuffer> scratch = new ConcurrentHashMap<>();

  /** For ciphertext on its way out. */
  CipherBuffers buffers() {
    return buffers;
  }

  /**
   * The loop's own buffer for decrypted content: a loop decrypts for one connection at a time, and
   * what is decrypted is handed on at once.
   */
  ByteBuffer scratchOf(EventLoop loop) {
    return scratch.computeIfAbsent(loop, _ -> ByteBuffer.allocate(SCRATCH_BYTES));
  }
}
