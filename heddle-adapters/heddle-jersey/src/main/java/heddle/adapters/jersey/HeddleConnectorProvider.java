package heddle.adapters.jersey;

import heddle.client.HttpClient;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.core.Configuration;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.glassfish.jersey.client.spi.Connector;
import org.glassfish.jersey.client.spi.ConnectorProvider;

/**
 * Has the calls of Jersey's client made over Heddle: blocking ones on the thread that calls,
 * asynchronous ones on a virtual thread each, or on the executor that the client was given. Safe
 * for use by many threads; may be given to several clients, each of which has connections of its
 * own.
 *
 * <pre>{@code
 * ClientConfig config = new ClientConfig().connectorProvider(new HeddleConnectorProvider());
 * Client client = ClientBuilder.newClient(config);
 * }</pre>
 *
 * <p>Timeouts, redirects, proxies and the way content is sent are those of Jersey's {@code
 * ClientProperties}, of the client, of a target or of one request.
 */
public final class HeddleConnectorProvider implements ConnectorProvider {
  /**
   * The property, a Boolean, that has no cookies kept; they are by default, as by Jersey's
   * connectors for Apache and Jetty, whose own properties of this meaning are honoured too. Where
   * the JVM has a default {@link java.net.CookieHandler} when the client first makes a request,
   * that one keeps them.
   */
  public static final String DISABLE_COOKIES = "jersey.config.heddle.client.disableCookies";

  private final Consumer<HttpClient.Builder> settings;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Map<Client, Carriers> known = new WeakHashMap<>();

  /** Connectors with Heddle's defaults, but no limits of time other than Jersey's properties. */
  public HeddleConnectorProvider() {
    this(builder -> {});
  }

  private HeddleConnectorProvider(Consumer<HttpClient.Builder> settings) {
    this.settings = settings;
  }

  /**
   * Connectors whose connections are made with settings of Heddle's, such as limits of the pool,
   * versions of HTTP, content codings, or listeners. Timeouts and redirects are those of Jersey's
   * properties, whatever is set here, and so are a proxy and a TLS context that Jersey was given:
   * requests with other properties have connections of their own, with the same settings.
   *
   * @param settings applied to a new builder for each set of properties
   */
  public static HeddleConnectorProvider with(Consumer<HttpClient.Builder> settings) {
    return new HeddleConnectorProvider(settings);
  }

  /**
   * A connector, which Jersey asks for with the first request of a client, and of each target that
   * has filters or properties of its own. All of a client share their connections.
   *
   * @throws IllegalArgumentException if a property cannot be honoured, or settings contradict each
   *     other; the message names it and says why
   */
  @Override
  public Connector getConnector(Client client, Configuration runtimeConfig) {
    Settings.requireHonourable(runtimeConfig);
    boolean keepsCookies = Settings.keepsCookies(runtimeConfig);
    CallOptions usual = CallOptions.of(runtimeConfig);
    lock.lock();
    try {
      Carriers shared = known.get(client);
      if (shared == null || !shared.retain()) {
        shared = new Carriers(Settings.of(client, settings), usual, keepsCookies);
        known.put(client, shared);
      }
      return new HeddleConnector(shared, keepsCookies);
    } finally {
      lock.unlock();
    }
  }
}
