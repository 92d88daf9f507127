package heddle.transport.tcp;

import heddle.transport.SafeLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that unparks and starts other threads for the loop. Unparking a virtual thread
 * costs a platform thread ten times as much, so the loop hands over all of a pass at once.
 */
final class WakeRelay implements Runnable {
  private static final System.Logger LOG = System.getLogger("heddle.transport");

  private final Thread thread;

  /**
   * The batch that is being woken while {@code busy}, the spare array of the loop otherwise. It
   * contains threads to unpark and {@code Runnable}s that start a thread.
   */
  private @Nullable Object[] batch = new @Nullable Object[64];

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
  Object[] wakeAll(@Nullable Object[] full, int count) {
    @Nullable Object[] spare = batch;
    batch = full;
    size = count;
    busy = true;
    wake(thread);
    return spare;
  }

  /** Unparks or starts one of a batch. Logs a failure, such as no memory, and goes on. */
  static void wake(@Nullable Object one) {
    try {
      if (one instanceof Thread parked) {
        LockSupport.unpark(parked);
      } else if (one instanceof Runnable start) {
        start.run();
      }
    } catch (RuntimeException | Error e) {
      // A parked thread wakes by itself in the end: EventLoop.park.
      SafeLog.log(LOG, Level.ERROR, "Cannot wake ", one == null ? "nothing" : one, e);
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
          wake(batch[i]);
          batch[i] = null;
        }
        busy = false;
      } else {
        LockSupport.park(this);
      }
    }
  }
}
