package heddle.adapters.apache5;

import heddle.client.HttpClient;
import heddle.http.Origin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.EndpointInfo;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.auth.AuthExchange;
import org.apache.hc.client5.http.auth.AuthScheme;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * What a request leases: the right to one exchange after the other with a route. Heddle's
 * connection is taken for each when it is sent. Used by one thread at a time; {@link #close} by
 * any.
 */
final class HeddleEndpoint extends ConnectionEndpoint {
  private final HeddleConnectionManager manager;
  private final HttpRoute route;
  private final Origin origin;
  private final Leases.Waiter lease;
  private final AtomicBoolean released = new AtomicBoolean();

  private volatile Settings settings;
  private volatile boolean connected;
  private volatile Timeout socketTimeout;
  private volatile @Nullable HeddleConnection current;

  /** How Apache has asked for a tunnel; null where it has not. */
  private volatile @Nullable HttpRequest connect;

  /**
   * @param connected whether a connection that was left open is taken over
   */
  HeddleEndpoint(
      HeddleConnectionManager manager,
      HttpRoute route,
      Origin origin,
      Settings settings,
      Leases.Waiter lease,
      boolean connected) {
    this.manager = manager;
    this.route = route;
    this.origin = origin;
    this.settings = settings;
    this.lease = lease;
    this.connected = connected;
    this.socketTimeout = Timeout.of(settings.silence());
  }

  Origin origin() {
    return origin;
  }

  HttpHost host() {
    return route.getTargetHost();
  }

  InetSocketAddress unresolved() {
    return InetSocketAddress.createUnresolved(origin.host(), origin.port());
  }

  HttpClient client() throws IOException {
    return manager.transport.client(settings);
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

  /** From now on requests may be sent; the connection is opened for the first of them. */
  void connect(@Nullable TimeValue timeout) {
    if (timeout != null) {
      Duration limit = Settings.limit(timeout, settings.connect());
      settings = settings.withConnect(limit);
    }
    if (released.get()) {
      throw new ConnectionShutdownException();
    }
    connected = true;
  }

  @Override
  public boolean isConnected() {
    return connected;
  }

  Timeout socketTimeout() {
    return socketTimeout;
  }

  @Override
  public void setSocketTimeout(Timeout timeout) {
    socketTimeout = timeout;
    settings = settings.withSilence(Settings.limit(timeout, Settings.NO_LIMIT));
  }

  @Override
  public EndpointInfo getInfo() {
    HeddleConnection known = current;
    return new EndpointInfo(HttpVersion.HTTP_1_1, known == null ? null : known.getSSLSession());
  }

  @Override
  @SuppressWarnings("deprecation") // Apache's older callers use it
  public ClassicHttpResponse execute(
      String id, ClassicHttpRequest request, HttpRequestExecutor executor, HttpContext context)
      throws IOException, HttpException {
    return execute(id, request, executor::execute, context);
  }

  @Override
  public ClassicHttpResponse execute(
      String id, ClassicHttpRequest request, RequestExecutor executor, HttpContext context)
      throws IOException, HttpException {
    if (!connected) {
      throw new ConnectionShutdownException();
    }
    requireMessageAuthentication(request, context);
    HeddleConnection connection = new HeddleConnection(this, context);
    current = connection;
    if (!connected) {
      // Closed by another thread since it was looked at.
      throw CallScope.ended(null);
    }
    ClassicHttpResponse response = executor.execute(request, connection, context);
    connection.executed();
    if (origin.isSecure()) {
      HttpCoreContext.castOrCreate(context).setSSLSession(connection.getSSLSession());
    }
    return response;
  }

  /** What authenticates a connection needs one of the request's own, and Heddle's are shared. */
  static void requireMessageAuthentication(HttpRequest request, HttpContext context)
      throws ProtocolException {
    boolean authenticated = request.containsHeader(HttpHeaders.AUTHORIZATION)
        || request.containsHeader(HttpHeaders.PROXY_AUTHORIZATION);
    if (!authenticated || !(context instanceof HttpClientContext client)) {
      return;
    }
    for (AuthExchange exchange : client.getAuthExchanges().values()) {
      AuthScheme scheme = exchange.getAuthScheme();
      if (scheme != null && scheme.isConnectionBased()) {
        throw new ProtocolException(scheme.getName() + " authenticates a connection, and the"
            + " connections of this adapter are shared by all: use a scheme that authenticates"
            + " requests, or Apache's own connection manager");
      }
    }
  }

  @Override
  public void close() throws IOException {
    close(CloseMode.GRACEFUL);
  }

  @Override
  public void close(CloseMode mode) {
    connected = false;
    HeddleConnection open = current;
    if (open != null) {
      open.giveUp();
    }
  }

  /**
   * Gives the lease back, once, and what is left of its exchange up.
   *
   * @param keepAlive how long the connection may be left open; null or negative for as long as
   *     Heddle keeps it
   */
  void release(@Nullable TimeValue keepAlive) {
    if (!released.compareAndSet(false, true)) {
      return;
    }
    boolean open = connected;
    close(CloseMode.IMMEDIATE);
    lease.release(open ? Warm.until(keepAlive, settings) : null);
    manager.released(this);
  }

  @Override
  public String toString() {
    return "endpoint of " + route;
  }
}
