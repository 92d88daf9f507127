package heddle.connection;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The part of a thread's work in which it may be interrupted on a request's behalf: while it
 * answers the request, or reads the body that is sent. One thread at a time is in it. An interrupt
 * comes at once, or keeps the thread from entering, and never after it has left.
 */
public final class InterruptScope {
  private static final AtomicReferenceFieldUpdater<InterruptScope, Object> RUNNER =
      AtomicReferenceFieldUpdater.newUpdater(InterruptScope.class, Object.class, "runner");

  // Values of runner other than a thread: an interrupt is being sent, or was requested.
  private static final Object INTERRUPTING = new Object();
  private static final Object INTERRUPTED = new Object();

  /** The thread in the scope; null before and after. */
  private volatile @Nullable Object runner;

  /** Whether the thread is done; written before {@code runner} is read or changed for that. */
  private boolean left;

  /** Whether an interrupt of ours was sent; written before {@code runner} says interrupted. */
  private boolean interrupted;

  /** The calling thread may be interrupted from now on. Returns false if it was before. */
  public boolean enter() {
    return RUNNER.compareAndSet(this, null, Thread.currentThread());
  }

  /**
   * The thread that has entered, or was kept from it, is done. No interrupt of ours comes later,
   * and one that was sent is cleared; one that other code had sent before stays. Returns whether
   * the thread was to be interrupted.
   */
  public boolean leave() {
    left = true;
    if (RUNNER.compareAndSet(this, Thread.currentThread(), null)) {
      return false;
    }
    while (runner == INTERRUPTING) {
      Thread.onSpinWait();
    }
    if (interrupted) {
      Thread.interrupted();
    }
    VarHandle.fullFence();
    return true;
  }

  /**
   * Whether the thread is done. If one thread leaves and then reads a volatile field, and another
   * writes that field and then calls this, at least one of them sees the other.
   */
  public boolean hasLeft() {
    return !(runner instanceof Thread) && left;
  }

  /** Whether an interrupt was requested before the thread has left. From any thread. */
  public boolean isInterrupted() {
    Object now = runner;
    return now == INTERRUPTING || now == INTERRUPTED;
  }

  /** Interrupts the thread, or keeps it from entering. From any thread, more than once. */
  public void interrupt() {
    Object thread = runner;
    while (thread == null && !RUNNER.compareAndSet(this, null, INTERRUPTED)) {
      thread = runner; // It has entered meanwhile.
    }
    if (thread instanceof Thread t && RUNNER.compareAndSet(this, thread, INTERRUPTING)) {
      interrupted = !t.isInterrupted();
      if (interrupted) {
        t.interrupt();
      }
      runner = INTERRUPTED;
    }
  }
}
