package heddle.server.accept;

import heddle.connection.MemoryBudget;
import heddle.server.spi.RefusedRequest;
import heddle.transport.SafeLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes refused requests on to the user's code, in their order, on a virtual thread that ends when
 * none waits: the loop, which refuses most, must not run user code. Safe for use by many threads.
 */
final class RefusalReports {
  private static final Logger LOG = System.getLogger(RefusalReports.class.getName());

  /** What may wait; further ones are left out. */
  private static final long MOST_BYTES = 1 << 20;

  /** What one takes besides its head. */
  private static final int ENTRY_BYTES = 128;

  private final Consumer<RefusedRequest> listener;
  private final Runnable onIdle;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final ArrayDeque<RefusedRequest> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private long omitted;
  private boolean running;

  /**
   * @param onIdle run each time that all are passed on
   */
  RefusalReports(Consumer<RefusedRequest> listener, Runnable onIdle) {
    this.listener = listener;
    this.onIdle = onIdle;
  }

  void add(RefusedRequest request) {
    boolean starting;
    lock.lock();
    try {
      long bytes = bytesOf(request);
      if (waitingBytes + bytes > MOST_BYTES) {
        omitted++;
        return;
      }
      waiting.add(request);
      waitingBytes += bytes;
      starting = !running;
      running = true;
    } finally {
      lock.unlock();
    }
    if (starting) {
      start();
    }
  }

  private static long bytesOf(RefusedRequest request) {
    return ENTRY_BYTES + MemoryBudget.bytesOf(request.requestLine(), request.headers());
  }

  private void start() {
    boolean started = false;
    try {
      Thread.ofVirtual().name("heddle-refused").start(this::run);
      started = true;
    } finally {
      if (!started) {
        idle(); // The next that is added tries again.
      }
    }
  }

  private void run() {
    for (RefusedRequest next = next(); next != null; next = next()) {
      try {
        listener.accept(next);
      } catch (RuntimeException | Error e) {
        String message = "the handler failed to note that a request was refused of ";
        SafeLog.log(LOG, Level.ERROR, message, next.remoteAddress(), e);
      }
    }
    onIdle.run();
  }

  private @Nullable RefusedRequest next() {
    long missed;
    lock.lock();
    try {
      RefusedRequest next = waiting.poll();
      if (next != null) {
        waitingBytes -= bytesOf(next);
        return next;
      }
      running = false;
      missed = omitted;
      omitted = 0;
    } finally {
      lock.unlock();
    }
    if (missed > 0) {
      String message = "the handler was too slow for refused requests, some were left out: ";
      SafeLog.log(LOG, Level.WARNING, message, missed, null);
    }
    return null;
  }

  private void idle() {
    lock.lock();
    try {
      running = false;
    } finally {
      lock.unlock();
    }
  }

  /** Whether all that were added are passed on. */
  boolean isIdle() {
    lock.lock();
    try {
      return !running;
    } finally {
      lock.unlock();
    }
  }
}
