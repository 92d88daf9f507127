package heddle.adapters.jersey;

import heddle.adapters.support.ClientsByOptions;
import heddle.adapters.support.ClientsByOptions.Use;
import heddle.http.Response;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The Heddle clients of one Jersey client. All of its connectors share them and their connections;
 * Jersey requests a connector per target that has its own filters or properties. Thread-safe.
 */
final class Carriers {
  private final ClientsByOptions<Choice> clients;

  /** The number of connectors. It stays 0 after the last one was closed. */
  private final AtomicInteger connectors = new AtomicInteger(1);

  private record Choice(CallOptions options, boolean keepsCookies) {}

  /**
   * Creates the clients for a first connector.
   *
   * @param usual the options of most requests
   * @throws IllegalArgumentException if settings contradict each other
   */
  Carriers(Settings settings, CallOptions usual, boolean keepsCookies) {
    clients = new ClientsByOptions<>(
        "sets of properties (timeouts, redirects, proxy, SSLContext, name for the handshake)",
        new Choice(usual, keepsCookies),
        choice -> settings.make(choice.options(), choice.keepsCookies()));
  }

  /**
   * Makes a call with the client for these options.
   *
   * @throws IOException if the call throws it, or if too many other clients are in use
   */
  Response call(CallOptions options, boolean keepsCookies, Use<Response> call) throws IOException {
    return clients.call(new Choice(options, keepsCookies), call);
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
