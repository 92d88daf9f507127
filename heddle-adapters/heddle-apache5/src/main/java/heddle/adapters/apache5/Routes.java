package heddle.adapters.apache5;

import heddle.adapters.support.Clients;
import heddle.adapters.support.lease.LeaseClients;
import heddle.adapters.support.lease.Tunnels;
import heddle.client.HttpClient;
import heddle.client.spi.Proxy;
import heddle.http.Origin;
import heddle.transport.tls.TlsOptions;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.UnsupportedSchemeException;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.core5.function.Resolver;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The settings per route, from the configurations of a manager, and the clients for them.
 * Thread-safe.
 */
final class Routes {
  private final SchemePortResolver ports;
  private final boolean shares;
  private final @Nullable TlsStrategy strategy;
  private final ReentrantLock lock = new ReentrantLock();

  /** Replaced, never changed; written under the lock. */
  private volatile Known known;

  /** The origin that was asked for last: checking a name again costs more than comparing it. */
  private volatile @Nullable Last last;

  private record Last(HttpHost target, Origin origin) {}

  /**
   * The configuration.
   *
   * @param usual settings for routes without a configuration from a resolver
   */
  private record Known(ConnectionManagerBuilder<?> told, Settings usual) {
    static Known of(ConnectionManagerBuilder<?> told, boolean shares) {
      told.requireOneSourceOfTls();
      return new Known(
          told, Settings.of(told.connectionConfig, told.socketConfig, told.tlsConfig, shares));
    }
  }

  /**
   * @param shares whether requests may share connections, which requires HTTP/2
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  Routes(ConnectionManagerBuilder<?> builder, boolean shares) {
    this.shares = shares;
    SchemePortResolver given = builder.ports;
    ports = given == null ? DefaultSchemePortResolver.INSTANCE : given;
    known = Known.of(builder.copy(), shares);
    strategy = builder.effectiveStrategy();
    if (strategy != null) {
      var ignored = StrategyTls.options(strategy, builder.tlsConfig);
    }
  }

  /**
   * Changes the configuration of later leases.
   *
   * @throws IllegalArgumentException if an option cannot be honoured, which changes nothing; the
   *     message names it
   */
  void change(UnaryOperator<ConnectionManagerBuilder<?>> change) {
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
    Last same = last;
    if (same != null && same.target.equals(target)) {
      return same.origin;
    }
    String scheme = target.getSchemeName();
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new UnsupportedSchemeException(scheme + " protocol is not supported");
    }
    int port = target.getPort();
    if (port < 0) {
      return new Origin(scheme, target.getHostName(), ports.resolve(target));
    }
    Origin origin = new Origin(scheme, target.getHostName(), port);
    last = new Last(target, origin);
    return origin;
  }

  /**
   * Returns the settings for a route.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  Settings settings(HttpRoute route) {
    Known now = known;
    ConnectionManagerBuilder<?> told = now.told;
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

  /**
   * Checks the configuration of a request.
   *
   * @throws IllegalArgumentException if the manager has TLS options, which set the same
   */
  void requireOneSourceOfTls(TlsConfig config) {
    if (known.told.tls != null) {
      ConnectionManagerBuilder.requireNoOther(config);
    }
  }

  /** Makes a client that opens at most this many connections. */
  HttpClient client(Settings settings, int connections) {
    HttpClient.Builder builder = LeaseClients.builder(settings.times(), connections);
    if (settings.version() != null) {
      builder.version(settings.version());
    }
    DnsResolver names = known.told.names;
    if (names != null) {
      LeaseClients.resolve(builder, names::resolve);
    }
    TlsOptions options = tlsOptions(settings);
    if (options != null) {
      builder.tls(options);
    }
    if (settings.proxy() != null) {
      builder.proxy(settings.proxy()).authenticator(Tunnels.AUTHENTICATOR);
    }
    Settings.KeepAlive probes = settings.keepAlive();
    if (probes != null && probes.idle() != null && probes.interval() != null) {
      builder.tcpKeepAlive(probes.idle(), probes.interval());
    } else if (probes != null) {
      builder.tcpKeepAlive();
    }
    return builder.build();
  }

  private @Nullable TlsOptions tlsOptions(Settings settings) {
    ConnectionManagerBuilder<?> told = known.told;
    SSLContext context = told.context;
    if (told.tls != null
        || (strategy == null
            && context == null
            && settings.protocols().isEmpty()
            && settings.cipherSuites().isEmpty())) {
      return told.tls;
    }
    TlsOptions.Builder options = strategy != null
        ? StrategyTls.options(strategy, settings.tlsConfig())
        : context == null ? TlsOptions.builder() : Clients.tls(context);
    if (!settings.protocols().isEmpty()) {
      options.protocols(settings.protocols().toArray(String[]::new));
    }
    if (!settings.cipherSuites().isEmpty()) {
      options.cipherSuites(settings.cipherSuites().toArray(String[]::new));
    }
    return options.build();
  }
}
