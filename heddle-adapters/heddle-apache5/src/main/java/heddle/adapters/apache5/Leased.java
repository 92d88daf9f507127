package heddle.adapters.apache5;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * What both kinds of endpoints lease: the right to one exchange after the other with a route, and
 * how these are made. Safe for use by many threads, one of which changes settings at a time.
 */
final class Leased {
  private final Transport transport;
  private final HttpRoute route;
  private final Origin origin;
  private final Leases.Waiter waiter;
  private final AtomicBoolean released = new AtomicBoolean();

  private volatile Settings settings;
  private volatile boolean connected;

  /** What came with the request; null for what the manager was told. */
  private volatile @Nullable TlsConfig tls;

  /** How Apache has asked for a tunnel; null where it has not. */
  private volatile @Nullable HttpRequest connect;

  /**
   * @param warm the connection that was left open, which is taken over; null for none
   */
  Leased(
      Transport transport,
      HttpRoute route,
      Origin origin,
      Settings settings,
      Leases.Waiter waiter,
      @Nullable Warm warm) {
    this.transport = transport;
    this.route = route;
    this.origin = origin;
    this.settings = settings;
    this.waiter = waiter;
    connected = warm != null;
    TlsConfig known = warm == null ? null : warm.tls();
    if (known != null) {
      secure(known);
    }
  }

  Origin origin() {
    return origin;
  }

  HttpHost host() {
    return route.getTargetHost();
  }

  /** Whether requests are sent over HTTP/2 and nothing else. */
  boolean isHttp2Forced() {
    return settings.version() == HttpVersion.HTTP_2;
  }

  /** Whether the server may be found to speak HTTP/2. */
  boolean mayUseHttp2() {
    return isHttp2Forced() || (settings.version() == null && origin.isSecure());
  }

  Settings settings() {
    return settings;
  }

  HttpClient client() throws IOException {
    return transport.client(settings);
  }

  boolean isTunnelled() {
    return route.isTunnelled();
  }

  /** Heddle will ask for the tunnel in its own way, when the first request needs it. */
  void tunnelAsked(HttpRequest request) {
    connect = request;
  }

  /** What a proxy that asks is to be shown for a request. */
  Tunnel tunnel(HttpContext context) {
    return Tunnel.of(route, connect, context);
  }

  /**
   * TLS and the version of HTTP are from now on what this says.
   *
   * @throws IllegalArgumentException if it cannot be honoured; the message names the option
   */
  void secureAs(TlsConfig config) {
    transport.requireOneSourceOfTls(config);
    secure(config);
  }

  private void secure(TlsConfig config) {
    settings = settings.withTls(config, route.isTunnelled());
    tls = config;
  }

  /**
   * From now on requests may be sent; the connection is opened for the first of them.
   *
   * @throws ConnectionShutdownException if it was released
   */
  void connect(@Nullable TimeValue timeout) {
    if (released.get()) {
      throw new ConnectionShutdownException();
    }
    if (timeout != null) {
      settings = settings.withConnect(Settings.limit(timeout, settings.connect()));
    }
    connected = true;
  }

  /** From now on no more requests may be sent. */
  void disconnect() {
    connected = false;
  }

  boolean isConnected() {
    return connected;
  }

  void setSocketTimeout(Timeout timeout) {
    settings = settings.withSilence(Settings.limit(timeout, Settings.NO_LIMIT));
  }

  /**
   * Gives the lease back, once.
   *
   * @param keepAlive how long the connection may be left open; null or negative for as long as
   *     Heddle keeps it
   * @param close gives up what is left of the exchange
   * @return false where it was given back before
   */
  boolean release(@Nullable TimeValue keepAlive, Runnable close) {
    if (!released.compareAndSet(false, true)) {
      return false;
    }
    boolean open = connected;
    close.run();
    waiter.release(open ? Warm.until(keepAlive, settings, tls) : null);
    return true;
  }

  @Override
  public String toString() {
    return "endpoint of " + route;
  }
}
