package heddle.adapters.jdk;

import heddle.client.HttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the calls of one client share, and which of them run: a call runs until the last byte of its
 * response was delivered, its WebSocket was closed, or it has failed. Thread-safe.
 */
final class Calls {
  final Settings settings;
  final HttpClient client;
  final Authentication.Passwords passwords = new Authentication.Passwords();
  private final Set<JdkCall<?>> running = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private volatile boolean shutDown;

  /**
   * @throws IllegalArgumentException if an option cannot be honoured
   */
  Calls(Settings settings) {
    this.settings = settings;
    client = settings.client();
  }

  /**
   * Adds a call.
   *
   * @throws IOException after a shutdown
   */
  void begin(JdkCall<?> call) throws IOException {
    running.add(call);
    // A shutdown sets this first and then lists the calls.
    if (shutDown) {
      end(call);
      throw closed("closed", "the client was shut down and accepts no more calls");
    }
  }

  /** Removes a call. Idempotent. */
  void end(JdkCall<?> call) {
    running.remove(call);
    terminateIfIdle();
  }

  private void terminateIfIdle() {
    if (shutDown && running.isEmpty() && closing.compareAndSet(false, true)) {
      try {
        client.close();
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
    for (JdkCall<?> call : running) {
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
