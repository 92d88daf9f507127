package heddle.adapters.apache4;

import heddle.adapters.support.lease.LeaseClients;
import heddle.adapters.support.lease.Leases;
import heddle.adapters.support.lease.Warm;
import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.transport.tls.TlsOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.security.auth.x500.X500Principal;
import org.apache.http.HttpHost;
import org.apache.http.config.SocketConfig;
import org.apache.http.conn.DnsResolver;
import org.apache.http.conn.UnsupportedSchemeException;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.pool.ConnPoolControl;
import org.apache.http.pool.PoolStats;
import org.jspecify.annotations.Nullable;

/** The limits, leases and configuration of a manager, and how it is closed. */
abstract class PoolControl implements ConnPoolControl<HttpRoute> {
  final Leases<HttpRoute, Settings> leases;
  final LeaseClients<Settings> clients;

  private final @Nullable DnsResolver names;
  private final @Nullable TlsOptions tls;
  private final @Nullable Duration age;
  private final Map<HttpHost, SocketConfig> socketConfigs = new ConcurrentHashMap<>();
  private final Set<Leased> leased = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  private volatile SocketConfig socketConfig;

  PoolControl(HeddleConnectionManagerBuilder told) {
    names = told.names;
    tls = told.tlsOptions();
    age = told.age;
    socketConfig = told.socketConfig;
    leases = new Leases<>(told.maxTotal, told.maxPerRoute);
    clients = new LeaseClients<>(told.maxTotal, this::client);
  }

  private HttpClient client(Settings settings, int connections) {
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
      builder.proxy(settings.proxy()).authenticator(Tunnel.AUTHENTICATOR);
    }
    if (settings.keepAlive()) {
      builder.tcpKeepAlive();
    }
    return builder.build();
  }

  // ---- leases

  /**
   * The owner of a connection leased with this state. A client certificate is not an owner, because
   * all connections of a manager present the same one.
   */
  static @Nullable Object owner(@Nullable Object state) {
    return state instanceof X500Principal ? null : state;
  }

  /**
   * Requests a lease.
   *
   * @throws IllegalArgumentException if Heddle cannot use this route; the message says why
   * @throws IllegalStateException if the manager is closed
   */
  final Leases<HttpRoute, Settings>.Waiter enqueue(HttpRoute route, @Nullable Object state) {
    Settings.requireHonourable(route);
    return leases.enqueue(route, owner(state));
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
    C taken = connection.apply(new Leased.Grant(this, route, origin, settings, waiter, warm));
    leased.add(taken);
    if (closed.get()) {
      taken.shutdown();
    }
    return taken;
  }

  final void released(Leased lease) {
    leased.remove(lease);
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

  // ---- limits

  @Override
  public void setMaxTotal(int max) {
    leases.setMaxTotal(max);
    clients.setMaxTotal(max);
  }

  @Override
  public int getMaxTotal() {
    return leases.maxTotal();
  }

  @Override
  public void setDefaultMaxPerRoute(int max) {
    leases.setMaxPerRoute(max);
  }

  @Override
  public int getDefaultMaxPerRoute() {
    return leases.maxPerRoute();
  }

  /** Sets the limit of one route; a limit below 1 restores the default. */
  @Override
  public void setMaxPerRoute(HttpRoute route, int max) {
    leases.setMaxPerRoute(route, max);
  }

  @Override
  public int getMaxPerRoute(HttpRoute route) {
    return leases.maxPerRoute(route);
  }

  /** Counts leased connections, waiting requests, and connections released open. */
  @Override
  public PoolStats getTotalStats() {
    return stats(leases.stats());
  }

  @Override
  public PoolStats getStats(HttpRoute route) {
    return stats(leases.stats(route));
  }

  private static PoolStats stats(Leases.Counts now) {
    return new PoolStats(now.leased(), now.pending(), now.available(), now.max());
  }

  /** Routes with leased connections, waiting requests, or connections released open. */
  public Set<HttpRoute> getRoutes() {
    return leases.routes();
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
    Duration unused =
        idleTime <= 0 ? Duration.ZERO : Settings.limit(Math.max(1, unit.toMillis(idleTime)));
    long now = System.nanoTime();
    leases.forgetWarm(now - unused.toNanos(), now);
    clients.closeIdle(unused);
  }

  /** Forgets expired connections, which Heddle closes itself. */
  public void closeExpiredConnections() {
    long now = System.nanoTime();
    leases.forgetWarm(now - LeaseClients.NO_LIMIT.toNanos(), now);
  }

  /** Ends running calls and closes all connections. Idempotent. */
  public void shutdown() {
    if (closed.compareAndSet(false, true)) {
      leases.close();
      leased.forEach(Leased::shutdown);
      clients.close();
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + getTotalStats() + "]";
  }
}
