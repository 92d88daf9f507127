package heddle.adapters.apache5;

import heddle.adapters.support.Clients;
import heddle.adapters.support.lease.Lease;
import heddle.adapters.support.lease.Lease.Keeping;
import heddle.adapters.support.lease.Warm;
import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.io.IOException;
import java.time.Duration;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.auth.AuthScheme;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * What both kinds of endpoints lease: the right to one exchange after the other with a route, and
 * the settings for them. Thread-safe, but only one thread at a time may change settings.
 */
final class Leased {
  private final Routes routes;
  private final HttpRoute route;
  private final Origin origin;
  private final Lease<HttpRoute, Settings> lease;

  private final ConnectionDetails details;
  private volatile Settings settings;

  /** The configuration that came with the request; null for the manager's. */
  private volatile @Nullable TlsConfig tls;

  /** The scheme that has last authenticated the connection; null if none has. */
  private volatile @Nullable AuthScheme scheme;

  /** Apache's CONNECT request; null if it has sent none. */
  private volatile @Nullable HttpRequest connect;

  /**
   * @param warm the connection that was left open and is reused; null for none
   */
  Leased(
      Routes routes,
      HttpRoute route,
      Origin origin,
      Settings settings,
      Lease<HttpRoute, Settings> lease,
      @Nullable Warm<Settings> warm) {
    this.routes = routes;
    this.route = route;
    this.origin = origin;
    this.settings = settings;
    this.lease = lease;
    details = new ConnectionDetails(this);
    if (warm != null && warm.tls() instanceof TlsConfig known) {
      secure(known);
    }
  }

  Origin origin() {
    return origin;
  }

  HttpHost host() {
    return route.getTargetHost();
  }

  /** Whether requests are sent over HTTP/2 only. */
  boolean isHttp2Forced() {
    return settings.version() == HttpVersion.HTTP_2;
  }

  /** Whether HTTP/2 may be negotiated. */
  boolean mayUseHttp2() {
    return isHttp2Forced() || (settings.version() == null && origin.isSecure());
  }

  /** What is known about the connection, for all exchanges of the lease. */
  ConnectionDetails details() {
    return details;
  }

  Settings settings() {
    return settings;
  }

  HttpClient client() throws IOException {
    return lease.client(settings);
  }

  /**
   * Makes later calls use a connection that only this lease uses: the one on which the scheme has
   * begun, because Apache may release it between the steps of a handshake, or a new one.
   *
   * @param using the scheme that authenticates the connection; null does nothing
   */
  void authenticate(@Nullable AuthScheme using) {
    if (using != null) {
      scheme = using;
      lease.isolate(using);
    }
  }

  boolean isTunnelled() {
    return route.isTunnelled();
  }

  /**
   * Notes Apache's CONNECT request. Heddle opens the tunnel when the first request needs it.
   *
   * @throws ProtocolException if the route has no tunnel
   */
  void tunnelAsked(HttpRequest request) throws ProtocolException {
    if (!isTunnelled()) {
      throw new ProtocolException("CONNECT " + request.getPath() + " on a route without a tunnel: "
          + "connections of this adapter become tunnels where their route says so");
    }
    connect = request;
  }

  /**
   * Allows an upgrade, which does nothing, if the route is a tunnel, whose traffic is secured
   * before anything is sent.
   *
   * @throws UnsupportedOperationException for other routes, which are not upgraded
   */
  void upgrade() {
    if (!isTunnelled()) {
      throw new UnsupportedOperationException("connections of this adapter cannot be upgraded to"
          + " TLS: use an https URL, or Apache's own connection manager");
    }
  }

  /** The tunnel for a request, which answers challenges of the proxy. */
  Tunnel tunnel(HttpContext context) {
    return Tunnel.of(route, connect, context);
  }

  /**
   * Sets TLS and the version of HTTP.
   *
   * @throws IllegalArgumentException if it cannot be honoured; the message names the option
   */
  void secureAs(TlsConfig config) {
    routes.requireOneSourceOfTls(config);
    secure(config);
  }

  private void secure(TlsConfig config) {
    settings = settings.withTls(config, route.isTunnelled());
    tls = config;
  }

  /**
   * Allows requests; the first one opens the connection.
   *
   * @throws ConnectionShutdownException if it was released
   */
  void connect(@Nullable TimeValue timeout) {
    if (!lease.connect()) {
      throw new ConnectionShutdownException();
    }
    if (timeout != null) {
      settings = settings.with(
          settings.times().withConnect(Settings.limit(timeout, settings.times().connect())));
    }
  }

  /** Makes an exchange on a virtual thread. */
  void start(Runnable exchange) {
    lease.start("heddle-apache5-call", exchange);
  }

  /** Refuses further requests, and closes the connection if only this lease uses it. */
  void disconnect() {
    lease.disconnect();
  }

  boolean isConnected() {
    return lease.isConnected();
  }

  void setSocketTimeout(Timeout timeout) {
    settings =
        settings.with(settings.times().withSilence(Settings.limit(timeout, Clients.FOREVER)));
  }

  /**
   * Releases the lease, once.
   *
   * @param user the only owner that may get this connection again; null for the scheme that has
   *     authenticated it
   * @param keepAlive how long the connection may be left open; null or negative for as long as
   *     Heddle keeps it
   * @param close gives up an exchange that has not ended
   * @return false if it was released before
   */
  boolean release(@Nullable Object user, @Nullable TimeValue keepAlive, Runnable close) {
    Duration kept = keepAlive == null || keepAlive.getDuration() < 0
        ? Clients.FOREVER
        : Settings.duration(keepAlive);
    Settings last = settings;
    return lease.release(
        user == null ? scheme : user,
        new Keeping(kept, last.times().idle(), last.times().age(), tls),
        close);
  }

  @Override
  public String toString() {
    return "endpoint of " + route;
  }
}
