package heddle.codec.http2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The bytes that the heads of all streams of a connection may take together. A stream may hold
 * {@link #FREE} bytes whatever the others hold, which covers most heads and is not counted; what is
 * beyond that comes out of a budget that all share.
 *
 * <p>Only the loop takes from the budget; any thread gives back.
 */
final class HeadBudget {
  /** Bytes that each stream may hold without being counted. */
  static final int FREE = 512;

  private static final VarHandle TAKEN =
      SharedState.handle(MethodHandles.lookup(), "taken", int.class);

  /** The bytes of the heads of all streams that are accepted, for a message. */
  final int total;

  private final int shared;
  private volatile int taken;

  /**
   * @param total bytes of the heads of all streams
   * @param streams how many streams there may be
   * @param largest bytes of the largest head that is accepted: one is, however small the total is
   */
  HeadBudget(int total, int streams, int largest) {
    this.total = total;
    shared = (int) Math.max(largest, total - (long) FREE * streams);
  }

  /** What a stream takes out of the shared budget if its heads have this many bytes. */
  static int charge(int bytes) {
    return Math.max(0, bytes - FREE);
  }

  /** Takes a charge out of the budget; returns false and takes nothing if too little is left. */
  boolean take(int charge) {
    // No other thread takes, so what is free now only grows until it is taken.
    if (charge > shared - taken) {
      return charge == 0;
    }
    if (charge > 0) {
      TAKEN.getAndAdd(this, charge);
    }
    return true;
  }

  /** Puts a charge back. */
  void release(int charge) {
    TAKEN.getAndAdd(this, -charge);
  }
}
