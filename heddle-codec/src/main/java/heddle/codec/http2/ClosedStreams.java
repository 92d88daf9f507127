package heddle.codec.http2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Which streams were reset lately, and by which side: frames that were on their way to a stream
 * that we have reset are ignored, RFC 9113 §5.1. Bounded; forgotten streams count as reset by us.
 * Written under the driver's ordering lock, read by the loop without it.
 */
final class ClosedStreams {
  /** How a stream was closed. */
  enum How {
    /** We have sent RST_STREAM. */
    RESET_BY_US,
    /** The peer has sent RST_STREAM. */
    RESET_BY_PEER,
    /** It was not reset. */
    NOT_RESET
  }

  private static final int LEAST = 16;

  /** More resets than are in flight at once, at 4 bytes each. */
  private static final int MOST = 1_024;

  private static final int BY_PEER = 1 << 31;
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int[] NONE = {};

  private volatile int[] ring = NONE;

  /** Guarded by the lock. */
  private int count;

  /** Notes a reset. */
  void remember(int id, boolean byPeer) {
    int[] now = ring;
    if (count == now.length && now.length < MOST) {
      now = Arrays.copyOf(now, Math.max(LEAST, 4 * now.length));
      ring = now;
    }
    SLOT.setRelease(now, count & now.length - 1, byPeer ? id | BY_PEER : id);
    // Beyond the first round the slots are taken in turn, the oldest first.
    count = count + 1 == 2 * MOST ? MOST : count + 1;
  }

  /** How the closed stream with this id was closed. */
  How find(int id) {
    int[] now = ring;
    int oldest = Integer.MAX_VALUE;
    boolean byPeer = false;
    for (int i = now.length - 1; i >= 0; i--) {
      int entry = (int) SLOT.getAcquire(now, i);
      int known = entry & ~BY_PEER;
      if (entry == id) {
        return How.RESET_BY_US; // perhaps in answer to what came after a reset of the peer's
      }
      byPeer |= known == id;
      oldest = Math.min(oldest, known);
    }
    if (byPeer) {
      return How.RESET_BY_PEER;
    }
    return now.length == MOST && oldest > 0 && id < oldest ? How.RESET_BY_US : How.NOT_RESET;
  }
}
