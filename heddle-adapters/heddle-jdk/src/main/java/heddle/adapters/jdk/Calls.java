package heddle.adapters.jdk;

import heddle.client.HttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of one client share, and which of them run: a call runs until the last byte of its
 * response was delivered, or it has failed. Also the JDK's own client, for WebSockets. Thread-safe.
 */
final class Calls {
  final Settings settings;
  final HttpClient client;
  final Authentication.Passwords passwords = new Authentication.Passwords();
  private final Set<JdkCall<?>> running = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private volatile boolean shutDown;
  private final ReentrantLock lock = new ReentrantLock();

  /** Written under the lock; null until there is a WebSocket. */
  private volatile java.net.http.@Nullable HttpClient stock;

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

  /** Returns the JDK's own client, made with the same options. */
  java.net.http.HttpClient stock() {
    lock.lock();
    try {
      java.net.http.HttpClient known = stock;
      if (known == null) {
        known = settings.stock();
        stock = known;
        if (shutDown) {
          known.shutdown();
        }
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  void shutdown() {
    shutDown = true;
    terminateIfIdle();
    lock.lock();
    try {
      java.net.http.HttpClient client = stock;
      if (client != null) {
        client.shutdown();
      }
    } finally {
      lock.unlock();
    }
  }

  void shutdownNow() {
    shutdown();
    for (JdkCall<?> call : running) {
      call.abort(closed("shutdownNow", "the client was shut down before the call ended"));
    }
    java.net.http.HttpClient client = stock;
    if (client != null) {
      client.shutdownNow();
    }
  }

  /** Combines the JDK's message, which callers check, with an explanation. */
  private static IOException closed(String words, String meaning) {
    return new IOException(words, new IllegalStateException(meaning));
  }

  boolean awaitTermination(Duration duration) throws InterruptedException {
    long start = System.nanoTime();
    if (!terminated.await(TimeUnit.NANOSECONDS.convert(duration), TimeUnit.NANOSECONDS)) {
      return false;
    }
    java.net.http.HttpClient client = stock;
    return client == null
        || client.awaitTermination(duration.minusNanos(System.nanoTime() - start));
  }

  boolean isTerminated() {
    java.net.http.HttpClient client = stock;
    return terminated.getCount() == 0 && (client == null || client.isTerminated());
  }
}
