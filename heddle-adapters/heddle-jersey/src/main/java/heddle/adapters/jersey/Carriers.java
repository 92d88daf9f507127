package heddle.adapters.jersey;

import heddle.adapters.support.ClientsByOptions;
import heddle.adapters.support.ClientsByOptions.Use;
import heddle.http.Response;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Heddle's clients for one client of Jersey's. All of its connectors share them, and their
 * connections: Jersey asks for another connector with each target that has a filter or a property
 * of its own. Safe for use by many threads.
 */
final class Carriers {
  private final ClientsByOptions<Choice> clients;

  /** How many connectors there are; none once the last one has been closed, and for good. */
  private final AtomicInteger connectors = new AtomicInteger(1);

  private record Choice(CallOptions options, boolean keepsCookies) {}

  /**
   * For a first connector.
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
   * @throws IOException what the call throws, or if too many others are in use
   */
  Response call(CallOptions options, boolean keepsCookies, Use<Response> call) throws IOException {
    return clients.call(new Choice(options, keepsCookies), call);
  }

  /** One connector more uses them; false if the last one has closed them. */
  boolean retain() {
    return connectors.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
  }

  /** One connector less uses them; the last one closes them. */
  void release() {
    if (connectors.decrementAndGet() == 0) {
      clients.close();
    }
  }
}
