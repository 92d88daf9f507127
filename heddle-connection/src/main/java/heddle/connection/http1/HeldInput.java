package heddle.connection.http1;

import heddle.connection.ConnectionMemory;
import heddle.connection.ConnectionMemory.Reason;
import java.nio.ByteBuffer;

/**
 * Pipelined input that waits until the request before it is answered, and stays where it is while
 * the requests in it are taken out one by one. Above a bound the channel is paused. Used by the
 * loop only.
 *
 * <p>A client may keep this amount of input waiting for ever, a request for each answer. So the
 * remaining input is moved only when at least as many bytes were taken or added since the last
 * time: each byte is copied a few times at most, however small the requests are.
 */
final class HeldInput {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ConnectionMemory memory;
  private final int bound;

  /** What waits, from its position to its limit; its array is what counts as held memory. */
  private ByteBuffer waiting = NOTHING;

  private boolean pausing;

  /** Holds nothing yet. */
  HeldInput(ConnectionMemory memory, int bound) {
    this.memory = memory;
    this.bound = bound;
  }

  /** Takes what remains in {@code in}; pauses reading above the bound. */
  void append(ByteBuffer in) {
    int room = waiting.remaining() + in.remaining();
    if (waiting.limit() + in.remaining() > waiting.capacity()) {
      if (room <= waiting.capacity() && waiting.position() >= waiting.remaining()) {
        waiting.compact().flip();
      } else {
        move(Math.max(room, Math.min(2 * waiting.remaining(), 2 * bound)));
      }
    }
    int end = waiting.limit();
    waiting.limit(end + in.remaining());
    waiting.put(end, in, in.position(), in.remaining());
    in.position(in.limit());
    pauseAboveBound();
  }

  private void move(int capacity) {
    ByteBuffer other = ByteBuffer.allocate(capacity);
    memory.arrived(capacity);
    memory.taken(waiting.capacity());
    waiting = other.put(waiting).flip();
  }

  /**
   * What waits, for the caller to take from its beginning. Until it is {@linkplain #keep kept} or
   * {@linkplain #drop dropped} it does not count as held, so that the memory budget has room for
   * the request in it.
   */
  ByteBuffer take() {
    memory.release(waiting.capacity());
    return waiting;
  }

  /** Holds what was not taken out of {@link #take}. */
  void keep() {
    memory.hold(waiting.capacity());
    if (waiting.remaining() < waiting.capacity() / 4) {
      move(2 * waiting.remaining());
    }
    pauseAboveBound();
  }

  /** Holds nothing any more, neither what waits nor what was taken out of {@link #take}. */
  void drop() {
    memory.hold(waiting.capacity());
    release();
  }

  /** Discards what waits. */
  void release() {
    memory.taken(waiting.capacity());
    waiting = NOTHING;
    pauseAboveBound();
  }

  private void pauseAboveBound() {
    boolean above = waiting.remaining() > bound;
    if (above != pausing) {
      pausing = above;
      if (above) {
        memory.pause(Reason.HELD_INPUT);
      } else {
        memory.resume(Reason.HELD_INPUT);
      }
    }
  }
}
