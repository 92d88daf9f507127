package heddle.adapters.jdk;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The JDK's own client, made when a WebSocket is first requested. Thread-safe. */
final class StockClient {
  private final Settings settings;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable HttpClient made;
  private boolean shutDown;

  StockClient(Settings settings) {
    this.settings = settings;
  }

  HttpClient get() {
    lock.lock();
    try {
      HttpClient known = made;
      if (known == null) {
        known = settings.stock();
        made = known;
        if (shutDown) {
          known.shutdown();
        }
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable HttpClient known() {
    lock.lock();
    try {
      return made;
    } finally {
      lock.unlock();
    }
  }

  void shutdown() {
    lock.lock();
    try {
      shutDown = true;
      if (made != null) {
        made.shutdown();
      }
    } finally {
      lock.unlock();
    }
  }

  void shutdownNow() {
    shutdown();
    HttpClient client = known();
    if (client != null) {
      client.shutdownNow();
    }
  }

  boolean awaitTermination(Duration duration) throws InterruptedException {
    HttpClient client = known();
    return client == null || client.awaitTermination(duration);
  }

  boolean isTerminated() {
    HttpClient client = known();
    return client == null || client.isTerminated();
  }
}
