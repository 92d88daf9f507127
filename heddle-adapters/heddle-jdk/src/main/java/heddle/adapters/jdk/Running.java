package heddle.adapters.jdk;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The calls of a client that are under way: until the last byte of a response was handed over, or
 * the call has failed. Safe for use by many threads.
 */
final class Running {
  private final Runnable close;
  private final Set<JdkCall<?>> calls = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private volatile boolean shutDown;

  /**
   * @param close lets go of the connections, once no call is under way after a shutdown
   */
  Running(Runnable close) {
    this.close = close;
  }

  /**
   * A call begins.
   *
   * @throws IOException after a shutdown
   */
  void begin(JdkCall<?> call) throws IOException {
    calls.add(call);
    // Who shuts down sets this first and then looks for calls.
    if (shutDown) {
      end(call);
      throw closed("closed", "the client was shut down and takes no more calls");
    }
  }

  /** A call is over. Idempotent. */
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

  /** The words of the JDK's client, which callers look for, and what they mean. */
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
