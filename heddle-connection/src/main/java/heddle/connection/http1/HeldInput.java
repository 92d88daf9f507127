package heddle.connection.http1;

import heddle.transport.Channel;
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
  static HeldInput of(ByteBuffer in, Channel channel, int bound) {
    HeldInput held = new HeldInput(new byte[in.remaining()]);
    held.append(in, channel, bound);
    return held;
  }

  /** Takes what remains in {@code in}; pauses the channel's reading above the bound. */
  void append(ByteBuffer in, Channel channel, int bound) {
    int more = in.remaining();
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, Math.min(2 * bytes.length, 2 * bound)));
    }
    in.get(bytes, length, more);
    length += more;
    if (length > bound) {
      pausing = true;
      channel.pauseReading();
    }
  }

  /** Gives everything back and lets the channel read again if it was paused here. */
  ByteBuffer release(Channel channel) {
    if (pausing) {
      channel.resumeReading();
    }
    return ByteBuffer.wrap(bytes, 0, length);
  }
}
