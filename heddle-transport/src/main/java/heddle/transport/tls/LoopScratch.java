package heddle.transport.tls;

import heddle.transport.EventLoop;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One buffer for decrypted content for all connections of a loop: a loop decrypts for one at a
 * time, and what is decrypted is handed on at once. Kept by a {@link JsseTls} for its lifetime. Safe
 * for use by many threads.
 */
final class LoopScratch {
  /**
   * What the loop reads at once, and a record more, so that all of it is handed on in one call: the
   * record that was cut in the read before ends in this one.
   */
  static final int BYTES = 64 * 1024 + 2 * 18 * 1024;

  private final ConcurrentHashMap<EventLoop, ByteBuffer> buffers = new ConcurrentHashMap<>();

  /** The loop's own. */
  ByteBuffer of(EventLoop loop) {
    return buffers.computeIfAbsent(loop, _ -> ByteBuffer.allocate(BYTES));
  }
}
