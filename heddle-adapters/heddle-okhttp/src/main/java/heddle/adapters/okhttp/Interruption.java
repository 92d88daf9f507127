package heddle.adapters.okhttp;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The part of a call in which its thread may be interrupted because the call is cancelled: while it
 * waits for the head of the response. An interrupt of ours never outlives that part.
 */
final class Interruption {
  /** What {@link #who} holds beside a thread. */
  private enum Mark {
    /** The thread is being interrupted. */
    COMING,
    /** It was interrupted, or must not begin. */
    DONE
  }

  private final AtomicReference<@Nullable Object> who = new AtomicReference<>();

  /** Whether the interrupt is ours; written before {@link Mark#DONE}, read after it. */
  private boolean ours;

  /**
   * The calling thread may be interrupted from now on.
   *
   * @return false when the call was cancelled before
   */
  boolean enter() {
    return who.compareAndSet(null, Thread.currentThread());
  }

  /**
   * The thread that has entered is done: an interrupt of ours is cleared, that of anybody else
   * stays.
   *
   * @return whether the call was cancelled meanwhile
   */
  boolean leave() {
    if (who.compareAndSet(Thread.currentThread(), null)) {
      return false;
    }
    while (who.get() == Mark.COMING) {
      Thread.onSpinWait();
    }
    if (ours) {
      Thread.interrupted();
    }
    return true;
  }

  /** Interrupts the thread, or keeps it from beginning. From any thread, more than once. */
  void interrupt() {
    Object holder = who.get();
    if (holder == null) {
      who.compareAndSet(null, Mark.DONE);
    } else if (holder instanceof Thread thread && who.compareAndSet(thread, Mark.COMING)) {
      ours = !thread.isInterrupted();
      if (ours) {
        thread.interrupt();
      }
      who.set(Mark.DONE);
    }
  }
}
