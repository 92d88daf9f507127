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
 * Makes the calls of Jersey's client over Heddle: blocking ones on the calling thread, asynchronous
 * ones on a virtual thread each, or on the client's executor if one was set. Thread-safe. Several
 * clients may use one provider; each has its own connections.
 *
 * <pre>{@code
 * ClientConfig config = new ClientConfig().connectorProvider(new HeddleConnectorProvider());
 * Client client = ClientBuilder.newClient(config);
 * }</pre>
 *
 * <p>Jersey's {@code ClientProperties} of the client, a target or one request set timeouts,
 * redirects, proxies and how content is sent.
 */
public final class HeddleConnectorProvider implements ConnectorProvider {
  /**
   * The Boolean property that disables cookies. By default they are kept, as by Jersey's connectors
   * for Apache and Jetty, whose own properties for this are honoured too. If the JVM has a default
   * {@link java.net.CookieHandler} when the client makes its first request, that one keeps them.
   */
  public static final String DISABLE_COOKIES = "jersey.config.heddle.client.disableCookies";

  private final Consumer<HttpClient.Builder> settings;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Map<Client, Carriers> known = new WeakHashMap<>();

  /**
   * Creates a provider with Heddle's defaults, but without timeouts other than Jersey's properties.
   */
  public HeddleConnectorProvider() {
    this(builder -> {});
  }

  private HeddleConnectorProvider(Consumer<HttpClient.Builder> settings) {
    this.settings = settings;
  }

  /**
   * Returns a provider with settings of Heddle's, such as pool limits, versions of HTTP, content
   * codings or listeners. Jersey's properties override its timeouts and redirects, and also a proxy
   * and a TLS context if Jersey has one. Requests with other properties use other connections, with
   * the same settings.
   *
   * @param settings applied to a new builder per set of properties
   */
  public static HeddleConnectorProvider with(Consumer<HttpClient.Builder> settings) {
    return new HeddleConnectorProvider(settings);
  }

  /**
   * Returns a connector. Jersey calls this with the first request of a client, and of each target
   * that has its own filters or properties. All connectors of a client share connections.
   *
   * @throws IllegalArgumentException if a property cannot be honoured, or if settings contradict
   *     each other; the message names them and the reason
   */
  @Override
  public Connector getConnector(Client client, Configuration runtimeConfig) {
    Settings.requireHonourable(runtimeConfig);
    boolean keepsCookies = Settings.keepsCookies(runtimeConfig);
    CallOptions usual = CallOptions.of(runtimeConfig, keepsCookies);
    lock.lock();
    try {
      Carriers shared = known.get(client);
      if (shared == null || !shared.retain()) {
        shared = new Carriers(Settings.of(client, settings), usual);
        known.put(client, shared);
      }
      return new HeddleConnector(shared, keepsCookies);
    } finally {
      lock.unlock();
    }
  }
}
