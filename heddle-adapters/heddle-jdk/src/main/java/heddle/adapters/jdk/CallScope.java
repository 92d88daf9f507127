package heddle.adapters.jdk;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets any thread end a call, once: by an interrupt while its thread waits for a response, through
 * the delivery of the content after that. An interrupt of ours comes only while the thread waits,
 * and is cleared when it has come.
 */
final class CallScope {
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private @Nullable Thread waiting;
  private boolean interrupted;
  private @Nullable Throwable reason;
  private @Nullable Delivery<?> delivery;

  /** The calling thread is about to wait; false where the call was ended before. */
  boolean enter() {
    lock.lock();
    try {
      if (reason == null) {
        waiting = Thread.currentThread();
      }
      return reason == null;
    } finally {
      lock.unlock();
    }
  }

  /** The calling thread waits no longer. Answers why the call was ended, null where it was not. */
  @Nullable
  Throwable leave() {
    lock.lock();
    try {
      waiting = null;
      if (interrupted) {
        interrupted = false;
        Thread.interrupted();
      }
      return reason;
    } finally {
      lock.unlock();
    }
  }

  /** Why the call was ended; null where it was not. */
  @Nullable
  Throwable reason() {
    lock.lock();
    try {
      return reason;
    } finally {
      lock.unlock();
    }
  }

  /** From now on ending the call ends this. */
  void delivering(Delivery<?> begun) {
    Throwable because;
    lock.lock();
    try {
      delivery = begun;
      because = reason;
    } finally {
      lock.unlock();
    }
    if (because != null) {
      begun.fail(because);
    }
  }

  /** Ends the call. From any thread; only the first has an effect. */
  void end(Throwable because) {
    Delivery<?> open;
    lock.lock();
    try {
      if (reason != null) {
        return;
      }
      reason = because;
      Thread thread = waiting;
      if (thread != null && !thread.isInterrupted()) {
        interrupted = true;
        thread.interrupt();
      }
      open = delivery;
    } finally {
      lock.unlock();
    }
    if (open != null) {
      open.fail(because);
    }
  }
}
