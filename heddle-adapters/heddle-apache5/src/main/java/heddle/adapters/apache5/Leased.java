package heddle.adapters.apache5;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.auth.AuthScheme;
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

  /** What its calls go over; null for the connections that all share. */
  private final AtomicReference<@Nullable OwnConnection> own = new AtomicReference<>();

  private volatile Settings settings;
  private volatile boolean connected;

  /** What came with the request; null for what the manager was told. */
  private volatile @Nullable TlsConfig tls;

  /** What has last authenticated the connection; null for nothing. */
  private volatile @Nullable AuthScheme scheme;

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
    if (warm != null && warm.own() != null) {
      own.set(warm.own());
    } else if (waiter.owner != null) {
      own.set(new OwnConnection(transport));
    }
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
    OwnConnection mine = own.get();
    return mine == null ? transport.client(settings) : mine.client(settings);
  }

  /**
   * From now on calls go over a connection of this lease's own: that on which the scheme has begun,
   * as Apache may give it back between one step and the next, or a new one.
   *
   * @param using what authenticates a connection; null where nothing does
   */
  void authenticate(@Nullable AuthScheme using) {
    if (using == null) {
      return;
    }
    scheme = using;
    if (own.get() == null) {
      Warm left = waiter.takeLeft(using);
      own.set(left == null ? new OwnConnection(transport) : left.own());
    }
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

  /** From now on no more requests may be sent, and never on the same connection of its own. */
  void disconnect() {
    connected = false;
    OwnConnection mine = own.get();
    if (mine != null && !released.get() && own.compareAndSet(mine, new OwnConnection(transport))) {
      mine.close();
    }
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
   * @param user who alone gets a connection of its own again; null for the scheme that has
   *     authenticated it
   * @param keepAlive how long the connection may be left open; null or negative for as long as
   *     Heddle keeps it
   * @param close gives up what is left of the exchange
   * @return false where it was given back before
   */
  boolean release(@Nullable Object user, @Nullable TimeValue keepAlive, Runnable close) {
    if (!released.compareAndSet(false, true)) {
      return false;
    }
    boolean open = connected;
    close.run();
    OwnConnection mine = own.get();
    Object owner = user == null ? scheme : user;
    if (mine != null && open && owner != null) {
      mine.belongTo(owner);
    } else if (mine != null) {
      mine.close();
      open = false;
    }
    waiter.release(open ? Warm.until(keepAlive, settings, tls, mine) : null);
    return true;
  }

  @Override
  public String toString() {
    return "endpoint of " + route;
  }
}
