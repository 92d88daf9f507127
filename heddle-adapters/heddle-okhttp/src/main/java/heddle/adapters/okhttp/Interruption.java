package heddle.adapters.okhttp;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The part of a call in which cancelling may interrupt its thread: while it waits for the head of
 * the response. Such an interrupt never outlives this part.
 */
final class Interruption {
  /** The values of {@link #who} other than a thread. */
  private enum Mark {
    /** The thread is being interrupted. */
    COMING,
    /** The thread was interrupted, or must not begin. */
    DONE
  }

  private final AtomicReference<@Nullable Object> who = new AtomicReference<>();

  /** Whether the interrupt was sent here; written before {@link Mark#DONE}, read after it. */
  private boolean ours;

  /**
   * Allows interrupting the calling thread.
   *
   * @return false if the call was already cancelled
   */
  boolean enter() {
    return who.compareAndSet(null, Thread.currentThread());
  }

  /**
   * Called by the thread that has entered. Clears an interrupt sent here, and keeps any other.
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

  /** Interrupts the thread, or prevents it from beginning. From any thread; idempotent. */
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
