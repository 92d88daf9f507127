package heddle.adapters.jersey;

import heddle.adapters.support.ClientsByOptions;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The Heddle clients of one Jersey client. All of its connectors share them and their connections;
 * Jersey requests a connector per target that has its own filters or properties. Thread-safe.
 */
final class Carriers {
  final ClientsByOptions<CallOptions> clients;

  /** The number of connectors. It stays 0 after the last one was closed. */
  private final AtomicInteger connectors = new AtomicInteger(1);

  /**
   * Creates the clients for a first connector.
   *
   * @param usual the options of most requests
   * @throws IllegalArgumentException if settings contradict each other
   */
  Carriers(Settings settings, CallOptions usual) {
    clients = new ClientsByOptions<>(
        "sets of properties (timeouts, redirects, proxy, SSLContext, name for the handshake)",
        usual,
        settings::make);
  }

  /** Adds a connector. Returns false if the last one has closed the clients. */
  boolean retain() {
    return connectors.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
  }

  /** Removes a connector. The last one closes the clients. */
  void release() {
    if (connectors.decrementAndGet() == 0) {
      clients.close();
    }
  }
}
