package heddle.adapters.aws;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Allows any thread to end a call once: by an interrupt while the calling thread waits for the
 * response, afterwards by closing the response's content. The interrupt is sent only while the call
 * waits, and is cleared afterwards.
 */
final class CallScope {
  /** Closes the content of a response. */
  interface Closer {
    void close() throws IOException;
  }

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable Thread waiting;
  private boolean interrupted;
  private @Nullable IOException reason;
  private @Nullable Closer content;

  /**
   * Called before the calling thread waits for the response.
   *
   * @throws IOException the reason, if the call was already ended
   */
  void enter() throws IOException {
    lock.lock();
    try {
      if (reason != null) {
        throw reason;
      }
      waiting = Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  /** Called when the calling thread stops waiting. Returns why the call was ended, or null. */
  @Nullable
  IOException leave() {
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

  /**
   * Sets how the content of the response is closed when the call is ended.
   *
   * @throws IOException the reason, if the call was ended meanwhile
   */
  void answered(Closer closer) throws IOException {
    lock.lock();
    try {
      content = closer;
      if (reason == null) {
        return;
      }
    } finally {
      lock.unlock();
    }
    closer.close();
    throw endedBecause();
  }

  private IOException endedBecause() {
    IOException because = reason();
    return because == null ? new IOException("the call was ended") : because;
  }

  /** Why the call was ended; null if it was not. */
  @Nullable
  IOException reason() {
    lock.lock();
    try {
      return reason;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the call. From any thread; only the first call has an effect. */
  void end(IOException because) {
    Closer closer;
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
      closer = content;
    } finally {
      lock.unlock();
    }
    if (closer != null) {
      try {
        closer.close();
      } catch (IOException e) {
        because.addSuppressed(e);
      }
    }
  }
}
