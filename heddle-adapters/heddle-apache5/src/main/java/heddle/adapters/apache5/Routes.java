package heddle.adapters.apache5;

import heddle.client.spi.Proxy;
import heddle.http.Origin;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.UnsupportedSchemeException;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.core5.function.Resolver;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.jspecify.annotations.Nullable;

/** What the configurations of a manager say of routes. */
final class Routes {
  private final SchemePortResolver ports;
  private final @Nullable Resolver<HttpRoute, ConnectionConfig> connectionConfigs;
  private final @Nullable Resolver<HttpRoute, SocketConfig> socketConfigs;
  private final @Nullable Resolver<HttpHost, TlsConfig> tlsConfigs;
  private final ConnectionConfig connectionConfig;
  private final SocketConfig socketConfig;
  private final TlsConfig tlsConfig;
  private final boolean shares;

  /** What holds for every route that no resolver knows otherwise. */
  private final Settings usual;

  /**
   * @param shares whether requests may share connections, which takes HTTP/2
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  Routes(HeddleConnectionManagerBuilder builder, boolean shares) {
    this.shares = shares;
    SchemePortResolver givenPorts = builder.ports;
    ports = givenPorts == null ? DefaultSchemePortResolver.INSTANCE : givenPorts;
    connectionConfigs = builder.connectionConfigs;
    socketConfigs = builder.socketConfigs;
    tlsConfigs = builder.tlsConfigs;
    connectionConfig = builder.connectionConfig;
    socketConfig = builder.socketConfig;
    tlsConfig = builder.tlsConfig;
    usual = Settings.of(connectionConfig, socketConfig, tlsConfig, shares);
  }

  /**
   * Where requests for a host go.
   *
   * @throws UnsupportedSchemeException if that is neither by http nor https
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
   * What holds for a route.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  Settings settings(HttpRoute route) {
    boolean resolved = connectionConfigs != null || socketConfigs != null || tlsConfigs != null;
    Settings settings = resolved
        ? Settings.of(
            resolve(connectionConfigs, route, connectionConfig),
            resolve(socketConfigs, route, socketConfig),
            resolve(tlsConfigs, route.getTargetHost(), tlsConfig),
            shares)
        : usual;
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
