package heddle.connection.http1;

import heddle.connection.ConnectionMemory;
import heddle.connection.ConnectionMemory.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pipelined input that waits until the request before it is answered. Above a bound the channel is
 * paused. Used by the loop only.
 */
final class HeldInput {
  private byte[] bytes;
  private int start;
  private int end;
  private boolean pausing;

  /** What {@link #release} has returned. */
  private @Nullable ByteBuffer released;

  /** Takes what remains in {@code in}. */
  HeldInput(ByteBuffer in, ConnectionMemory memory, int bound) {
    bytes = new byte[in.remaining()];
    append(in, memory, bound);
  }

  /**
   * Takes the rest of what was {@linkplain #release released}, without a copy: otherwise each of
   * many small requests would copy all those behind it.
   *
   * @return false, taking nothing, if {@code rest} is another buffer, or so small that it would
   *     hold more memory than is counted for it
   */
  @SuppressWarnings("ReferenceEquality") // The same buffer, not the same content.
  boolean holdAgain(ByteBuffer rest, ConnectionMemory memory, int bound) {
    if (rest != released || rest.remaining() < bytes.length / 2) {
      return false;
    }
    released = null;
    start = rest.position();
    rest.position(end);
    holds(end - start, memory, bound);
    return true;
  }

  /** Takes what remains in {@code in}; pauses reading above the bound. */
  void append(ByteBuffer in, ConnectionMemory memory, int bound) {
    int more = in.remaining();
    int length = end - start;
    if (end + more > bytes.length) {
      int room = Math.max(length + more, Math.min(2 * bytes.length, 2 * bound));
      bytes = Arrays.copyOfRange(bytes, start, start + room);
      start = 0;
      end = length;
    }
    in.get(bytes, end, more);
    end += more;
    holds(more, memory, bound);
  }

  private void holds(int more, ConnectionMemory memory, int bound) {
    memory.arrived(more);
    if (end - start > bound) {
      pausing = true;
      memory.pause(Reason.HELD_INPUT);
    }
  }

  /** Returns everything, and resumes the channel if it was paused here. */
  ByteBuffer release(ConnectionMemory memory) {
    memory.taken(end - start);
    if (pausing) {
      pausing = false;
      memory.resume(Reason.HELD_INPUT);
    }
    released = ByteBuffer.wrap(bytes, start, end - start);
    return released;
  }
}
