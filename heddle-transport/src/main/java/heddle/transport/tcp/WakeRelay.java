package heddle.transport.tcp;

import heddle.transport.SafeLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that unparks others in the loop's stead: that costs a platform thread ten times
 * as much, so at the end of a pass the loop hands all that it has to wake to this one.
 */
final class WakeRelay implements Runnable {
  private static final System.Logger LOG = System.getLogger("heddle.transport");

  private final Thread thread;

  /** The batch that is being woken while {@code busy}, the spare array of the loop otherwise. */
  private @Nullable Thread[] batch = new @Nullable Thread[64];

  private int size;

  /** Hands batch and size over: set by the loop after it has written them, cleared by the relay. */
  private volatile boolean busy;

  private volatile boolean ended;

  WakeRelay(String name) {
    thread = Thread.ofVirtual().name(name).unstarted(this);
  }

  void start() {
    thread.start();
  }

  /** Whether the relay is still at work on the last batch. */
  boolean isBusy() {
    return busy;
  }

  /** Takes a batch over from the loop for an empty array, when not {@linkplain #isBusy busy}. */
  @Nullable
  Thread[] wake(@Nullable Thread[] threads, int count) {
    @Nullable Thread[] spare = batch;
    batch = threads;
    size = count;
    busy = true;
    unpark(thread);
    return spare;
  }

  /** Unparks a thread; a failure, for want of memory, does not keep others from being woken. */
  static void unpark(@Nullable Thread waiter) {
    try {
      LockSupport.unpark(waiter);
    } catch (RuntimeException | Error e) {
      // It looks at its time itself, in the end: EventLoop.park.
      SafeLog.log(LOG, Level.ERROR, "Cannot wake ", waiter == null ? "nothing" : waiter, e);
    }
  }

  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    while (!ended || busy) {
      if (busy) {
        for (int i = 0; i < size; i++) {
          unpark(batch[i]);
          batch[i] = null;
        }
        busy = false;
      } else {
        LockSupport.park(this);
      }
    }
  }
}
