package heddle.adapters.jdk;

import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The JDK's own client, made when a WebSocket is first requested. Thread-safe. */
final class StockClient {
  private final Settings settings;
  private final List<Consumer<HttpClient.Builder>> options;
  private final ReentrantLock lock = new ReentrantLock();

  /** Written under the lock; null until it is needed. */
  private volatile @Nullable HttpClient made;

  /** Guarded by the lock. */
  private boolean shutDown;

  /**
   * @param options what the user has given Heddle's builder
   */
  StockClient(Settings settings, List<Consumer<HttpClient.Builder>> options) {
    this.settings = settings;
    this.options = options;
  }

  HttpClient get() {
    lock.lock();
    try {
      HttpClient known = made;
      if (known == null) {
        known = build();
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

  private HttpClient build() {
    HttpClient.Builder builder = HeddleBuilders.stock().sslContext(settings.context());
    ProxySelector routes = settings.routes();
    if (routes != null) {
      builder.proxy(routes); // The system's selector when Heddle's client was built.
    }
    options.forEach(option -> option.accept(builder));
    return builder.build();
  }

  void shutdown() {
    lock.lock();
    try {
      shutDown = true;
      HttpClient client = made;
      if (client != null) {
        client.shutdown();
      }
    } finally {
      lock.unlock();
    }
  }

  void shutdownNow() {
    shutdown();
    HttpClient client = made;
    if (client != null) {
      client.shutdownNow();
    }
  }

  boolean awaitTermination(Duration duration) throws InterruptedException {
    HttpClient client = made;
    return client == null || client.awaitTermination(duration);
  }

  boolean isTerminated() {
    HttpClient client = made;
    return client == null || client.isTerminated();
  }
}
