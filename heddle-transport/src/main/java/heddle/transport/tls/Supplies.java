package heddle.transport.tls;

import heddle.transport.EventLoop;
import java.nio.ByteBuffer;

/** The buffers that the connections of one {@link JsseTls} share. Safe for use by many threads. */
record Supplies(CipherBuffers buffers, LoopScratch scratch) {
  Supplies() {
    this(new CipherBuffers(), new LoopScratch());
  }

  ByteBuffer scratchOf(EventLoop loop) {
    return scratch.of(loop);
  }
}
