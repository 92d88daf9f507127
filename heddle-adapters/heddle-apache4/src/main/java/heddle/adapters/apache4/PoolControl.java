package heddle.adapters.apache4;

import heddle.adapters.support.lease.Lease.Keeping;
import heddle.adapters.support.lease.LeaseClients;
import heddle.adapters.support.lease.LeaseControl;
import heddle.adapters.support.lease.Leases;
import heddle.adapters.support.lease.Tunnels;
import heddle.adapters.support.lease.Warm;
import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.transport.tls.TlsOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.http.HttpHost;
import org.apache.http.config.SocketConfig;
import org.apache.http.conn.DnsResolver;
import org.apache.http.conn.UnsupportedSchemeException;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.pool.ConnPoolControl;
import org.apache.http.pool.PoolStats;
import org.jspecify.annotations.Nullable;

/** The leases and the configuration of a manager. */
abstract class PoolControl extends LeaseControl<HttpRoute, Settings, Leased>
    implements ConnPoolControl<HttpRoute> {
  private final @Nullable DnsResolver names;
  private final @Nullable TlsOptions tls;
  private final @Nullable Duration age;
  private final Map<HttpHost, SocketConfig> socketConfigs = new ConcurrentHashMap<>();
  private volatile SocketConfig socketConfig;

  PoolControl(HeddleConnectionManagerBuilder told) {
    super(told.maxTotal, told.maxPerRoute);
    names = told.names;
    tls = told.tlsOptions();
    age = told.age;
    socketConfig = told.socketConfig;
  }

  @Override
  protected final HttpClient client(Settings settings, int connections) {
    HttpClient.Builder builder =
        LeaseClients.builder(settings.times(), connections).version(HttpVersion.HTTP_1_1);
    DnsResolver given = names;
    if (given != null) {
      LeaseClients.resolve(builder, given::resolve);
    }
    if (tls != null) {
      builder.tls(tls);
    }
    if (settings.proxy() != null) {
      builder.proxy(settings.proxy()).authenticator(Tunnels.AUTHENTICATOR);
    }
    if (settings.keepAlive()) {
      builder.tcpKeepAlive();
    }
    return builder.build();
  }

  // ---- leases

  /**
   * Requests a lease.
   *
   * @throws IllegalArgumentException if Heddle cannot use this route; the message says why
   * @throws IllegalStateException if the manager is closed
   */
  final Leases<HttpRoute, Settings>.Waiter request(HttpRoute route, @Nullable Object state) {
    Settings.requireHonourable(route);
    return enqueue(route, owner(state));
  }

  /**
   * Returns the connection of a granted lease.
   *
   * @param warm the connection that was left open and is reused; null for none
   * @throws UnsupportedSchemeException if the scheme is neither http nor https; the waiter was
   *     released
   */
  final <C extends Leased> C take(
      HttpRoute route,
      Leases<HttpRoute, Settings>.Waiter waiter,
      @Nullable Warm<Settings> warm,
      Function<Leased.Grant, C> connection)
      throws UnsupportedSchemeException {
    HttpHost target = route.getTargetHost();
    String scheme = target.getSchemeName();
    if (!scheme.equals("http") && !scheme.equals("https")) {
      waiter.release(null);
      throw new UnsupportedSchemeException(scheme + " protocol is not supported");
    }
    HttpHost first = route.getProxyHost() == null ? target : route.getProxyHost();
    Settings settings = Settings.of(route, socketConfigs.getOrDefault(first, socketConfig), age);
    Origin origin = new Origin(scheme, target.getHostName(), Settings.port(target));
    return taken(connection.apply(
        new Leased.Grant(this, route, origin, settings, lease(waiter, warm), warm)));
  }

  final void released(Leased connection, @Nullable Object state, Keeping keeping) {
    if (connection.lease.release(owner(state), keeping, connection::shutdown)) {
      forget(connection);
    }
  }

  @Override
  protected final void end(Leased connection) {
    connection.shutdown();
  }

  /**
   * Returns the lease of a connection.
   *
   * @throws IllegalStateException if it belongs to another manager
   */
  final Leased own(Object connection) {
    if (connection instanceof Leased mine && mine.isOf(this)) {
      return mine;
    }
    throw new IllegalStateException("the connection was not leased from this manager: release"
        + " connections to the manager that leased them");
  }

  // ---- state

  /** Counts leased connections, waiting requests, and connections released open. */
  @Override
  public PoolStats getTotalStats() {
    return stats(stats());
  }

  @Override
  public PoolStats getStats(HttpRoute route) {
    return stats(stats(route));
  }

  private static PoolStats stats(Leases.Counts now) {
    return new PoolStats(now.leased(), now.pending(), now.available(), now.max());
  }

  // ---- configuration of later leases

  /**
   * Sets socket options, of which {@code soTimeout} and {@code soKeepAlive} are supported.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public void setDefaultSocketConfig(SocketConfig config) {
    Settings.requireHonourable(config);
    socketConfig = config;
  }

  /**
   * Sets the same for connections to a host or through a proxy; null restores the default.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public void setSocketConfig(HttpHost host, @Nullable SocketConfig config) {
    if (config == null) {
      socketConfigs.remove(host);
    } else {
      Settings.requireHonourable(config);
      socketConfigs.put(host, config);
    }
  }

  // ---- closing

  /** Closes the connections that have been idle for this time or longer. */
  public void closeIdleConnections(long idleTime, TimeUnit unit) {
    closeUnused(
        idleTime <= 0 ? Duration.ZERO : Settings.limit(Math.max(1, unit.toMillis(idleTime))));
  }

  /** Forgets expired connections, which Heddle closes itself. */
  public void closeExpiredConnections() {
    forgetExpired();
  }

  /** Ends running calls and closes all connections. Idempotent. */
  public void shutdown() {
    closeAll();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + getTotalStats() + "]";
  }
}
