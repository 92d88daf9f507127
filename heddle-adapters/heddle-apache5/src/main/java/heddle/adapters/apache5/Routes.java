package heddle.adapters.apache5;

import heddle.client.spi.Proxy;
import heddle.http.Origin;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.UnsupportedSchemeException;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.core5.function.Resolver;
import org.apache.hc.core5.http.HttpHost;
import org.jspecify.annotations.Nullable;

/** The settings per route, from the configurations of a manager. Thread-safe. */
final class Routes {
  private final SchemePortResolver ports;
  private final boolean shares;
  private final ReentrantLock lock = new ReentrantLock();

  /** Replaced, never changed; written under the lock. */
  private volatile Known known;

  /**
   * The configuration.
   *
   * @param usual settings for routes without a configuration from a resolver
   */
  private record Known(HeddleConnectionManagerBuilder told, Settings usual) {
    static Known of(HeddleConnectionManagerBuilder told, boolean shares) {
      told.requireOneSourceOfTls();
      return new Known(
          told, Settings.of(told.connectionConfig, told.socketConfig, told.tlsConfig, shares));
    }
  }

  /**
   * @param shares whether requests may share connections, which requires HTTP/2
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  Routes(HeddleConnectionManagerBuilder builder, boolean shares) {
    this.shares = shares;
    SchemePortResolver given = builder.ports;
    ports = given == null ? DefaultSchemePortResolver.INSTANCE : given;
    known = Known.of(builder.copy(), shares);
  }

  /**
   * Changes the configuration of later leases.
   *
   * @throws IllegalArgumentException if an option cannot be honoured, which changes nothing; the
   *     message names it
   */
  void change(UnaryOperator<HeddleConnectionManagerBuilder> change) {
    lock.lock();
    try {
      known = Known.of(change.apply(known.told.copy()), shares);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the origin for a host.
   *
   * @throws UnsupportedSchemeException if the scheme is neither http nor https
   */
  Origin origin(HttpHost target) throws UnsupportedSchemeException {
    String scheme = target.getSchemeName();
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new UnsupportedSchemeException(scheme + " protocol is not supported");
    }
    int port = target.getPort();
    return new Origin(scheme, target.getHostName(), port < 0 ? ports.resolve(target) : port);
  }

  /**
   * Returns the settings for a route.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  Settings settings(HttpRoute route) {
    Known now = known;
    HeddleConnectionManagerBuilder told = now.told;
    boolean resolved =
        told.connectionConfigs != null || told.socketConfigs != null || told.tlsConfigs != null;
    Settings settings = resolved
        ? Settings.of(
            resolve(told.connectionConfigs, route, told.connectionConfig),
            resolve(told.socketConfigs, route, told.socketConfig),
            resolve(told.tlsConfigs, route.getTargetHost(), told.tlsConfig),
            shares)
        : now.usual;
    HttpHost proxy = route.getProxyHost();
    return proxy == null ? settings : settings.withProxy(proxy(proxy), route.isTunnelled());
  }

  private static <K, C> C resolve(@Nullable Resolver<K, C> resolver, K key, C otherwise) {
    C known = resolver == null ? null : resolver.resolve(key);
    return known == null ? otherwise : known;
  }

  private Proxy proxy(HttpHost proxy) {
    int port = proxy.getPort() < 0 ? ports.resolve(proxy) : proxy.getPort();
    return proxy.getSchemeName().equals("https")
        ? Proxy.https(proxy.getHostName(), port)
        : Proxy.http(proxy.getHostName(), port);
  }
}
