package heddle.adapters.jdk;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Allows any thread to end a call once: by an interrupt while its thread waits for a response,
 * afterwards by failing the delivery of the content. The interrupt is sent only while the thread
 * waits, and is cleared afterwards.
 */
final class CallScope {
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable Thread waiting;
  private boolean interrupted;
  private @Nullable Throwable reason;
  private @Nullable Delivery<?> delivery;

  /** Called before the calling thread waits. Returns false if the call was already ended. */
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

  /** Called when the calling thread stops waiting. Returns why the call was ended, or null. */
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

  /** Why the call was ended; null if it was not. */
  @Nullable
  Throwable reason() {
    lock.lock();
    try {
      return reason;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the delivery that ending the call fails from now on. */
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

  /** Ends the call. From any thread; only the first call has an effect. */
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
