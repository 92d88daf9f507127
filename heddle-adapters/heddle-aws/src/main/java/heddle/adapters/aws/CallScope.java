package heddle.adapters.aws;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets any thread end a call that another makes, once: by an interrupt while it waits for the
 * response, by giving the response's content up after that. An interrupt comes only while the call
 * waits, and is cleared when it has come: the thread is as it was before.
 */
final class CallScope {
  /** Gives up the content of a response. */
  interface Closer {
    void close() throws IOException;
  }

  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private @Nullable Thread waiting;
  private boolean interrupted;
  private @Nullable IOException reason;
  private @Nullable Closer content;

  /**
   * The calling thread is about to wait for the response.
   *
   * @throws IOException the reason, where the call was ended before
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

  /** The calling thread waits no longer. Answers why the call was ended, null where it was not. */
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
   * There is a response, whose content is given up when the call is ended.
   *
   * @throws IOException the reason, where it was ended meanwhile
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

  /** Why the call was ended; null where it was not. */
  @Nullable
  IOException reason() {
    lock.lock();
    try {
      return reason;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the call. From any thread; only the first has an effect. */
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
