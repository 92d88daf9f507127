package heddle.adapters.apache5;

import heddle.adapters.support.lease.LeaseControl;
import heddle.adapters.support.lease.Leases;
import heddle.adapters.support.lease.Warm;
import heddle.client.HttpClient;
import heddle.http.Origin;
import java.io.IOException;
import java.time.Duration;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.function.Resolver;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.ModalCloseable;
import org.apache.hc.core5.pool.ConnPoolControl;
import org.apache.hc.core5.pool.PoolStats;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints and the configuration of a manager.
 *
 * @param <E> its endpoints
 */
abstract class PoolControl<E extends ModalCloseable> extends LeaseControl<HttpRoute, Settings, E>
    implements ConnPoolControl<HttpRoute> {
  final Routes routes;
  private final Class<E> kind;

  /**
   * @param shares whether requests may share connections, which requires HTTP/2
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  PoolControl(ConnectionManagerBuilder<?> builder, Class<E> kind, boolean shares) {
    super(builder.maxTotal, builder.maxPerRoute);
    this.kind = kind;
    routes = new Routes(builder, shares);
  }

  @Override
  protected final HttpClient client(Settings settings, int connections) {
    return routes.client(settings, connections);
  }

  // ---- endpoints

  /** Returns the endpoint of a lease. */
  abstract E endpoint(Leased lease);

  /**
   * Returns an endpoint for a granted lease.
   *
   * @param warm the connection that was left open and is reused; null for none
   * @throws IOException if the route's scheme is not supported; the caller must release the lease
   */
  final E take(
      HttpRoute route,
      Settings settings,
      Leases<HttpRoute, Settings>.Waiter waiter,
      @Nullable Warm<Settings> warm)
      throws IOException {
    Origin origin = routes.origin(route.getTargetHost());
    return taken(endpoint(new Leased(routes, route, origin, settings, lease(waiter, warm), warm)));
  }

  final void forgotten(E endpoint) {
    forget(endpoint);
  }

  @Override
  protected final void end(E endpoint) {
    endpoint.close(CloseMode.IMMEDIATE);
  }

  /**
   * Casts an endpoint of this manager.
   *
   * @throws IllegalStateException if it belongs to another manager
   */
  final E own(Object endpoint) {
    if (kind.isInstance(endpoint)) {
      return kind.cast(endpoint);
    }
    throw new IllegalStateException("the endpoint was not leased from this manager, it is a "
        + endpoint.getClass().getName() + ": release endpoints to the manager that leased them");
  }

  // ---- state

  /** Closes the connections that have been idle for this time or longer. */
  @Override
  public void closeIdle(TimeValue idleTime) {
    Duration given = Settings.duration(idleTime);
    closeUnused(given.isPositive() ? Settings.limit(idleTime, given) : Duration.ZERO);
  }

  /** Does nothing: Heddle closes expired connections itself. */
  @Override
  public void closeExpired() {
    forgetExpired();
  }

  /** Counts leased endpoints, waiting requests, and endpoints released open. */
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
   * Sets timeouts and lifetimes of connections.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public void setDefaultConnectionConfig(ConnectionConfig config) {
    routes.change(told -> told.setDefaultConnectionConfig(config));
  }

  /**
   * Sets the same per route. Routes without a configuration use the default. Null removes the
   * resolver.
   */
  public void setConnectionConfigResolver(
      @Nullable Resolver<HttpRoute, ConnectionConfig> resolver) {
    routes.change(told -> told.setConnectionConfigResolver(resolver));
  }

  /**
   * Sets socket options.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public void setDefaultSocketConfig(SocketConfig config) {
    routes.change(told -> told.setDefaultSocketConfig(config));
  }

  /**
   * Sets the same per route. Routes without a configuration use the default. Null removes the
   * resolver.
   */
  public void setSocketConfigResolver(@Nullable Resolver<HttpRoute, SocketConfig> resolver) {
    routes.change(told -> told.setSocketConfigResolver(resolver));
  }

  /**
   * Sets TLS versions, cipher suites, the handshake timeout, and the version of HTTP.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public void setDefaultTlsConfig(TlsConfig config) {
    routes.change(told -> told.setDefaultTlsConfig(config));
  }

  /**
   * Sets the same per host. Hosts without a configuration use the default. Null removes the
   * resolver.
   *
   * @throws IllegalArgumentException if the manager has TLS options, which set the same
   */
  public void setTlsConfigResolver(@Nullable Resolver<HttpHost, TlsConfig> resolver) {
    routes.change(told -> told.setTlsConfigResolver(resolver));
  }

  // ---- closing

  /** Ends running calls and closes all connections. Idempotent. */
  public void close() {
    closeAll();
  }

  /** As {@link #close()}: both modes do the same, as with Apache's pools. */
  public void close(CloseMode mode) {
    closeAll();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + getTotalStats() + "]";
  }
}
