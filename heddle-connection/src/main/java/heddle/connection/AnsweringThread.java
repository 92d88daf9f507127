package heddle.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that answers a request, or reads a request's body, for as long as it may be
 * interrupted on the request's behalf. An interrupt comes at once, or when the thread enters, and
 * never after it has left.
 */
public final class AnsweringThread {
  private static final VarHandle RUNNER;

  static {
    try {
      RUNNER = MethodHandles.lookup().findVarHandle(AnsweringThread.class, "runner", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Values of {@link #runner} beside a thread: it is being, or has to be, interrupted. */
  private static final Object INTERRUPTING = new Object();

  private static final Object INTERRUPTED = new Object();

  /** The answering thread, while it may be interrupted; null before and after. */
  private volatile @Nullable Object runner;

  /** Whether an interrupt of ours was sent; written before {@code runner} says interrupted. */
  private boolean interrupted;

  /**
   * The calling thread begins to answer.
   *
   * @return false when it was to be interrupted before it came
   */
  public boolean enter() {
    return RUNNER.compareAndSet(this, null, Thread.currentThread());
  }

  /**
   * The thread that has entered, or was kept from it, is done. No interrupt of ours comes later,
   * and one that has come is cleared; one that somebody else had sent before stays.
   *
   * @return whether it was to be interrupted
   */
  public boolean leave() {
    if (RUNNER.compareAndSet(this, Thread.currentThread(), null)) {
      return false;
    }
    while (runner == INTERRUPTING) {
      Thread.onSpinWait();
    }
    if (interrupted) {
      Thread.interrupted();
    }
    return true;
  }

  /** Interrupts the thread: at once, or when it enters. From any thread, more than once. */
  public void interrupt() {
    Object thread = runner;
    if (thread == null) {
      RUNNER.compareAndSet(this, null, INTERRUPTED);
    } else if (thread instanceof Thread t && RUNNER.compareAndSet(this, thread, INTERRUPTING)) {
      interrupted = !t.isInterrupted();
      if (interrupted) {
        t.interrupt();
      }
      runner = INTERRUPTED;
    }
  }
}
