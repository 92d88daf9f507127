package heddle.adapters.apache5;

import heddle.adapters.support.lease.Leases;
import heddle.adapters.support.lease.Warm;
import heddle.http.Origin;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.security.auth.x500.X500Principal;
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
 * The limits, endpoints and configuration of a manager, and how it is closed.
 *
 * @param <E> its endpoints
 */
abstract class PoolControl<E extends ModalCloseable> implements ConnPoolControl<HttpRoute> {
  final Leases<HttpRoute, Settings> leases;
  final Transport transport;
  final Routes routes;

  private final Class<E> kind;
  private final Set<E> leased = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param shares whether requests may share connections, which requires HTTP/2
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  PoolControl(HeddleConnectionManagerBuilder builder, Class<E> kind, boolean shares) {
    this.kind = kind;
    routes = new Routes(builder, shares);
    leases = new Leases<>(builder.maxTotal, builder.maxPerRoute);
    transport = new Transport(builder);
  }

  // ---- endpoints

  /**
   * The owner of a connection leased with this state. A client certificate is not an owner, because
   * all connections of a manager present the same one.
   */
  static @Nullable Object owner(@Nullable Object state) {
    return state instanceof X500Principal ? null : state;
  }

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
    E taken = endpoint(new Leased(transport, route, origin, settings, waiter, warm));
    leased.add(taken);
    if (closed.get()) {
      taken.close(CloseMode.IMMEDIATE);
    }
    return taken;
  }

  final void released(E endpoint) {
    leased.remove(endpoint);
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

  /**
   * Allows an upgrade, which does nothing, if the route is a tunnel, whose traffic is secured
   * before anything is sent.
   *
   * @throws UnsupportedOperationException for other routes, which are not upgraded
   */
  static void requireTunnel(Leased leased) {
    if (!leased.isTunnelled()) {
      throw new UnsupportedOperationException("connections of this adapter cannot be upgraded to"
          + " TLS: use an https URL, or Apache's own connection manager");
    }
  }

  // ---- limits

  @Override
  public void setMaxTotal(int max) {
    leases.setMaxTotal(max);
    transport.clients().setMaxTotal(max);
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

  /** Closes the connections that have been idle for this time or longer. */
  @Override
  public void closeIdle(TimeValue idleTime) {
    Duration given = Settings.duration(idleTime);
    Duration unused = given.isPositive() ? Settings.limit(idleTime, given) : Duration.ZERO;
    long now = System.nanoTime();
    leases.forgetWarm(now - unused.toNanos(), now);
    transport.clients().closeIdle(unused);
  }

  /** Does nothing: Heddle closes expired connections itself. */
  @Override
  public void closeExpired() {
    long now = System.nanoTime();
    leases.forgetWarm(now - Settings.NO_LIMIT.toNanos(), now);
  }

  /** Routes with leased endpoints, waiting requests, or endpoints released open. */
  @Override
  public Set<HttpRoute> getRoutes() {
    return leases.routes();
  }

  /** Counts leased endpoints, waiting requests, and endpoints released open. */
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

  /** Whether the manager was closed. */
  public boolean isClosed() {
    return closed.get();
  }

  /** Ends running calls and closes all connections. Idempotent. */
  public void close() {
    close(CloseMode.GRACEFUL);
  }

  /**
   * Ends running calls and closes all connections. Both modes do the same, as with Apache's pools.
   * Idempotent.
   */
  public void close(CloseMode mode) {
    if (closed.compareAndSet(false, true)) {
      leases.close();
      leased.forEach(each -> each.close(mode));
      transport.clients().close();
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + getTotalStats() + "]";
  }
}
