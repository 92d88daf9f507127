package heddle.adapters.jdk;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The running calls of a client. A call runs until the last byte of its response was delivered, or
 * it has failed. Thread-safe.
 */
final class Running {
  private final Runnable close;
  private final Set<JdkCall<?>> calls = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private volatile boolean shutDown;

  /**
   * @param close closes the connections; called after a shutdown when no call is running
   */
  Running(Runnable close) {
    this.close = close;
  }

  /**
   * Adds a call.
   *
   * @throws IOException after a shutdown
   */
  void begin(JdkCall<?> call) throws IOException {
    calls.add(call);
    // A shutdown sets this first and then lists the calls.
    if (shutDown) {
      end(call);
      throw closed("closed", "the client was shut down and accepts no more calls");
    }
  }

  /** Removes a call. Idempotent. */
  void end(JdkCall<?> call) {
    calls.remove(call);
    terminateIfIdle();
  }

  private void terminateIfIdle() {
    if (shutDown && calls.isEmpty() && closing.compareAndSet(false, true)) {
      try {
        close.run();
      } finally {
        terminated.countDown();
      }
    }
  }

  void shutdown() {
    shutDown = true;
    terminateIfIdle();
  }

  void shutdownNow() {
    shutdown();
    for (JdkCall<?> call : calls) {
      call.abort(closed("shutdownNow", "the client was shut down before the call ended"));
    }
  }

  /** Combines the JDK's message, which callers check, with an explanation. */
  private static IOException closed(String words, String meaning) {
    return new IOException(words, new IllegalStateException(meaning));
  }

  boolean awaitTermination(Duration duration) throws InterruptedException {
    return terminated.await(TimeUnit.NANOSECONDS.convert(duration), TimeUnit.NANOSECONDS);
  }

  boolean isTerminated() {
    return terminated.getCount() == 0;
  }
}
