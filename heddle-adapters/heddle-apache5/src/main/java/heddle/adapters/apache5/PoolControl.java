package heddle.adapters.apache5;

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
 * Limits of a manager, and what it holds, until it is closed.
 *
 * @param <E> its endpoints
 */
abstract class PoolControl<E extends ModalCloseable> implements ConnPoolControl<HttpRoute> {
  final Leases leases;
  final Transport transport;
  final Routes routes;

  private final Class<E> kind;
  private final Set<E> leased = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param shares whether requests may share connections, which takes HTTP/2
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  PoolControl(HeddleConnectionManagerBuilder builder, Class<E> kind, boolean shares) {
    this.kind = kind;
    routes = new Routes(builder, shares);
    leases = new Leases(builder.maxTotal, builder.maxPerRoute);
    transport = new Transport(builder.names, builder.context, builder.tls, builder.maxTotal);
  }

  // ---- endpoints

  /**
   * Whose connection a lease with this state is. That of a key and its certificate is everybody's,
   * as all connections of a manager show the same.
   */
  static @Nullable Object owner(@Nullable Object state) {
    return state instanceof X500Principal ? null : state;
  }

  /** The endpoint that stands for a lease. */
  abstract E endpoint(Leased lease);

  /**
   * An endpoint for a lease that is there.
   *
   * @param warm the connection that was left open, which is taken over; null for none
   * @throws IOException if the route's scheme is not supported; the lease is still to be released
   */
  final E take(HttpRoute route, Settings settings, Leases.Waiter waiter, @Nullable Warm warm)
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
   * An endpoint of this manager.
   *
   * @throws IllegalStateException if it is another's
   */
  final E own(Object endpoint) {
    if (kind.isInstance(endpoint)) {
      return kind.cast(endpoint);
    }
    throw new IllegalStateException("the endpoint is not of this manager but a "
        + endpoint.getClass().getName() + ": give back what was leased here");
  }

  /**
   * Nothing is to be done for an upgrade where the route is a tunnel: what goes through it is
   * secured before anything is sent.
   *
   * @throws UnsupportedOperationException for others, which stay as they are
   */
  static void requireTunnel(Leased leased) {
    if (!leased.isTunnelled()) {
      throw new UnsupportedOperationException("connections of this adapter are not upgraded to"
          + " TLS: use an https URL, or Apache's own connection manager");
    }
  }

  // ---- limits

  @Override
  public void setMaxTotal(int max) {
    leases.setMaxTotal(max);
    transport.setMaxTotal(max);
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

  /** Sets the limit of one route; a limit below 1 means the default one again. */
  @Override
  public void setMaxPerRoute(HttpRoute route, int max) {
    leases.setMaxPerRoute(route, max);
  }

  @Override
  public int getMaxPerRoute(HttpRoute route) {
    return leases.maxPerRoute(route);
  }

  /** Closes the connections that nobody has used for so long, or longer. */
  @Override
  public void closeIdle(TimeValue idleTime) {
    Duration given = Settings.duration(idleTime);
    Duration unused = given.isPositive() ? Settings.limit(idleTime, given) : Duration.ZERO;
    long now = System.nanoTime();
    leases.forgetWarm(now - unused.toNanos(), now);
    transport.closeIdle(unused);
  }

  /** Heddle closes what is over its time by itself: nothing is left to be done here. */
  @Override
  public void closeExpired() {
    long now = System.nanoTime();
    leases.forgetWarm(now - Settings.NO_LIMIT.toNanos(), now);
  }

  /** Routes with endpoints leased or waited for, or released open. */
  @Override
  public Set<HttpRoute> getRoutes() {
    return leases.routes();
  }

  /** Endpoints that are leased, requests that wait for one, and endpoints released open. */
  @Override
  public PoolStats getTotalStats() {
    return leases.stats();
  }

  @Override
  public PoolStats getStats(HttpRoute route) {
    return leases.stats(route);
  }

  // ---- configurations, for leases from now on

  /**
   * Timeouts and life times of connections.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public void setDefaultConnectionConfig(ConnectionConfig config) {
    routes.change(told -> told.setDefaultConnectionConfig(config));
  }

  /** The same by route; what it does not know has the default one. Null for none. */
  public void setConnectionConfigResolver(
      @Nullable Resolver<HttpRoute, ConnectionConfig> resolver) {
    routes.change(told -> told.setConnectionConfigResolver(resolver));
  }

  /**
   * Options of sockets.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public void setDefaultSocketConfig(SocketConfig config) {
    routes.change(told -> told.setDefaultSocketConfig(config));
  }

  /** The same by route; what it does not know has the default ones. Null for none. */
  public void setSocketConfigResolver(@Nullable Resolver<HttpRoute, SocketConfig> resolver) {
    routes.change(told -> told.setSocketConfigResolver(resolver));
  }

  /**
   * Versions and cipher suites of TLS, how long its handshake may take, and the version of HTTP.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public void setDefaultTlsConfig(TlsConfig config) {
    routes.change(told -> told.setDefaultTlsConfig(config));
  }

  /**
   * The same by host; what it does not know has the default one. Null for none.
   *
   * @throws IllegalArgumentException if the manager has TLS options, which say the same
   */
  public void setTlsConfigResolver(@Nullable Resolver<HttpHost, TlsConfig> resolver) {
    routes.change(told -> told.setTlsConfigResolver(resolver));
  }

  // ---- the end

  /** Whether it was closed. */
  public boolean isClosed() {
    return closed.get();
  }

  /** Ends what is under way and closes all connections. Idempotent. */
  public void close() {
    close(CloseMode.GRACEFUL);
  }

  /**
   * Ends what is under way and closes all connections; both modes do that in the same way, as with
   * Apache's pools. Idempotent.
   */
  public void close(CloseMode mode) {
    if (closed.compareAndSet(false, true)) {
      leases.close();
      leased.forEach(each -> each.close(mode));
      transport.close();
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + getTotalStats() + "]";
  }
}
