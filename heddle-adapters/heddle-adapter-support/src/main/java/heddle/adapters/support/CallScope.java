package heddle.adapters.support;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Allows any thread to end a call once: by an interrupt while the calling thread waits for the
 * response, afterwards by ending its content. The interrupt is sent only while the thread waits,
 * and is cleared afterwards.
 *
 * @param <R> why a call is ended
 */
public final class CallScope<R extends Throwable> {
  /** Ends the content of a response, which the calling thread may be reading. */
  @FunctionalInterface
  public interface ContentEnd<R> {
    /** Ends the content; what it throws is added to the reason. */
    void end(R because) throws IOException;
  }

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable Thread waiting;
  private boolean interrupted;
  private @Nullable R reason;
  private @Nullable ContentEnd<R> content;

  /** Creates the scope of a call that was not made yet. */
  public CallScope() {}

  /**
   * Called before the calling thread waits for the response. Returns false if the call was already
   * ended.
   */
  public boolean enter() {
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
  public @Nullable R leave() {
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
  public @Nullable R reason() {
    lock.lock();
    try {
      return reason;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets how the content of the response is ended from now on. Returns why the call was ended
   * meanwhile, in which case the caller has to end the content, or null.
   */
  public @Nullable R answered(ContentEnd<R> end) {
    lock.lock();
    try {
      content = end;
      return reason;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the call. From any thread; only the first call has an effect. */
  public void end(R because) {
    ContentEnd<R> open;
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
      open = content;
    } finally {
      lock.unlock();
    }
    if (open != null) {
      try {
        open.end(because);
      } catch (IOException e) {
        because.addSuppressed(e);
      }
    }
  }
}
