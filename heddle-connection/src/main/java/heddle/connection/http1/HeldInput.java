package heddle.connection.http1;

import heddle.connection.ConnectionMemory;
import heddle.connection.ConnectionMemory.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Pipelined input that waits until the request before it is answered. Beyond a bound the channel's
 * reading is paused. The loop's own.
 */
final class HeldInput {
  private byte[] bytes;
  private int length;
  private boolean pausing;

  private HeldInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Takes what remains in {@code in}. */
  static HeldInput of(ByteBuffer in, ConnectionMemory memory, int bound) {
    HeldInput held = new HeldInput(new byte[in.remaining()]);
    held.append(in, memory, bound);
    return held;
  }

  /** Takes what remains in {@code in}; pauses reading above the bound. */
  void append(ByteBuffer in, ConnectionMemory memory, int bound) {
    int more = in.remaining();
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, Math.min(2 * bytes.length, 2 * bound)));
    }
    in.get(bytes, length, more);
    length += more;
    memory.arrived(more);
    if (length > bound) {
      pausing = true;
      memory.pause(Reason.HELD_INPUT);
    }
  }

  /** Gives everything back and lets the channel read again if it was paused here. */
  ByteBuffer release(ConnectionMemory memory) {
    memory.taken(length);
    if (pausing) {
      memory.resume(Reason.HELD_INPUT);
    }
    return ByteBuffer.wrap(bytes, 0, length);
  }
}
