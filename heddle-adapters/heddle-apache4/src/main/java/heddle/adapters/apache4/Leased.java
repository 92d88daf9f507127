package heddle.adapters.apache4;

import heddle.adapters.support.Clients;
import heddle.adapters.support.LastConnection;
import heddle.adapters.support.ReusedContent;
import heddle.adapters.support.lease.Lease;
import heddle.adapters.support.lease.Lease.Keeping;
import heddle.adapters.support.lease.Tunnels;
import heddle.adapters.support.lease.Warm;
import heddle.client.HttpCall;
import heddle.client.spi.Authenticator;
import heddle.client.spi.ConnectionInfo;
import heddle.http.Body;
import heddle.http.Credentials;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLSession;
import org.apache.http.Header;
import org.apache.http.HttpConnectionMetrics;
import org.apache.http.HttpException;
import org.apache.http.HttpInetConnection;
import org.apache.http.HttpRequest;
import org.apache.http.ProtocolException;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.impl.HttpConnectionMetricsImpl;
import org.jspecify.annotations.Nullable;

/**
 * What both kinds of connections are: the right to one exchange after the other with a route. Each
 * exchange takes one of Heddle's connections when it is sent. Used by one thread at a time, except
 * {@link #shutdown}.
 */
abstract class Leased implements HttpInetConnection {
  /** Schemes that authenticate a connection, in lower case. */
  private static final Set<String> OF_CONNECTIONS = Set.of("ntlm", "negotiate", "kerberos");

  private final HttpConnectionMetricsImpl metrics = new HttpConnectionMetricsImpl(null, null);

  private final PoolControl pool;
  private final HttpRoute route;
  private final Origin origin;
  final Lease<HttpRoute, Settings> lease;

  private volatile Settings settings;

  /** The value of Proxy-Authorization in Apache's CONNECT; null if it had none. */
  private volatile @Nullable String proxyAuthorization;

  /** Null before the first one. */
  private volatile @Nullable HttpCall call;

  private final LastConnection connection = new LastConnection();

  /**
   * What a connection is made of.
   *
   * @param warm the connection that was left open and is reused; null for none
   */
  record Grant(
      PoolControl pool,
      HttpRoute route,
      Origin origin,
      Settings settings,
      Lease<HttpRoute, Settings> lease,
      @Nullable Warm<Settings> warm) {}

  Leased(Grant grant) {
    pool = grant.pool;
    route = grant.route;
    origin = grant.origin;
    settings = grant.settings;
    Warm<Settings> warm = grant.warm;
    lease = grant.lease;
    proxyAuthorization = warm != null && warm.tls() instanceof String shown ? shown : null;
  }

  boolean isOf(PoolControl manager) {
    return pool == manager;
  }

  Origin origin() {
    return origin;
  }

  boolean isForwarded() {
    return route.getProxyHost() != null && !route.isTunnelled();
  }

  // ---- opening and closing

  @Override
  public boolean isOpen() {
    return lease.isConnected();
  }

  /** Whether it was closed. Heddle notices at once when a server closes, and does not use it. */
  @Override
  public boolean isStale() {
    return !isOpen();
  }

  /**
   * Allows requests; the first one opens the connection.
   *
   * @param millis timeout; 0 or negative for none
   */
  void connect(int millis) {
    settings = settings.with(settings.times().withConnect(Settings.limit(millis)));
    var ignored = lease.connect();
  }

  /**
   * Allows an upgrade, which does nothing, if the route is a tunnel, whose traffic is secured
   * before anything is sent.
   *
   * @throws UnsupportedOperationException for other routes, which are not upgraded
   */
  void upgrade() {
    if (!route.isTunnelled()) {
      throw new UnsupportedOperationException("connections of this adapter cannot be upgraded to"
          + " TLS: use an https URL, or Apache's own connection manager");
    }
  }

  /** Makes an exchange on a virtual thread. */
  final void start(Runnable exchange) {
    lease.start("heddle-apache4-call", exchange);
  }

  @Override
  public void close() {
    shutdown();
  }

  /** Refuses further requests and ends the call if it is running. From any thread. */
  @Override
  public void shutdown() {
    lease.disconnect();
    HttpCall running = call;
    if (running != null) {
      running.cancel();
    }
  }

  /** Releases the lease, once, and gives up an exchange that has not ended. */
  void release(@Nullable Object state, Duration keepAlive) {
    pool.released(
        this, state, new Keeping(keepAlive, null, settings.times().age(), proxyAuthorization));
  }

  @Override
  public int getSocketTimeout() {
    Duration silence = settings.times().silence();
    return silence.equals(Clients.FOREVER) ? 0 : (int) silence.toMillis();
  }

  @Override
  public void setSocketTimeout(int millis) {
    settings = settings.with(settings.times().withSilence(Settings.limit(millis)));
  }

  // ---- exchanges

  /**
   * Makes a call on this thread. A CONNECT request is only noted: Heddle opens the tunnel with the
   * first request that needs it.
   *
   * @param onNewConnection whether no connection may be reused
   */
  Response send(HttpRequest head, Body body, boolean onNewConnection)
      throws IOException, HttpException {
    metrics.incrementRequestCount();
    if (head.getRequestLine().getMethod().equalsIgnoreCase("CONNECT")) {
      return tunnel(head);
    }
    Request request = Messages.request(this, head, body, onNewConnection);
    isolate(head);
    HttpCall next;
    try {
      next = ReusedContent.newCall(lease.client(settings), request);
      connection.follow(next);
      call = next;
      if (!isOpen()) {
        throw new SocketException("Socket closed"); // By another thread since the last check.
      }
      Response received = route.isTunnelled() ? Tunnels.send(next, shown(), true) : next.execute();
      metrics.incrementResponseCount();
      return received;
    } catch (IllegalArgumentException e) {
      throw Messages.unsendable(this, e);
    } catch (MalformedMessageException e) {
      if (e instanceof MessageTooLargeException) {
        throw explain(e);
      }
      throw new ProtocolException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw explain(e);
    }
  }

  /** Returns the exception to throw when Heddle has thrown this one. */
  IOException explain(IOException e) {
    return Failures.translate(e, route.getTargetHost());
  }

  /** Rethrows what the entity has thrown, unchanged; returns the exception if it has not. */
  static IOException own(@Nullable Throwable own, IOException e) throws IOException {
    return switch (own) {
      case IOException thrown -> throw thrown;
      case RuntimeException thrown -> throw thrown;
      case Error thrown -> throw thrown;
      case null, default -> e;
    };
  }

  /**
   * Shows the proxy the credentials of Apache's CONNECT. If it refuses, Apache gets its response,
   * answers the challenge, and sends another CONNECT.
   */
  private Authenticator shown() {
    Credentials credentials = Tunnels.credentials(proxyAuthorization);
    return new Authenticator() {
      @Override
      public @Nullable Credentials answer(Question question) {
        return null;
      }

      @Override
      public @Nullable Credentials beforehand(Question question) {
        return credentials;
      }
    };
  }

  private Response tunnel(HttpRequest connect) throws ProtocolException {
    if (!route.isTunnelled()) {
      throw new ProtocolException("CONNECT " + connect.getRequestLine().getUri() + " on a route"
          + " without a tunnel: connections of this adapter become tunnels where their route says"
          + " so");
    }
    Header shown = connect.getFirstHeader("Proxy-Authorization");
    proxyAuthorization = shown == null ? null : shown.getValue();
    return Response.of(Status.OK);
  }

  /**
   * Makes calls use a connection that only this lease uses if a scheme such as NTLM authenticates
   * the connection rather than the request.
   */
  private void isolate(HttpRequest head) {
    for (String name : List.of("Authorization", "Proxy-Authorization")) {
      Header field = head.getFirstHeader(name);
      String value = field == null ? "" : String.valueOf(field.getValue());
      String scheme = value.substring(0, Math.max(0, value.indexOf(' ')));
      if (OF_CONNECTIONS.contains(scheme.toLowerCase(Locale.ROOT))) {
        lease.isolate(this);
      }
    }
  }

  // ---- the connection of the last exchange

  /** Null without TLS, and before a request has been sent. */
  public @Nullable SSLSession getSSLSession() {
    ConnectionInfo known = connection.get();
    return known == null ? null : known.tlsSession();
  }

  /** Null before a request has been sent. */
  @Override
  public @Nullable InetAddress getRemoteAddress() {
    ConnectionInfo known = connection.get();
    return known != null && known.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getAddress()
        : null;
  }

  @Override
  public int getRemotePort() {
    ConnectionInfo known = connection.get();
    return known != null && known.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getPort()
        : -1;
  }

  /** Null: the system chooses the local address. */
  @Override
  public @Nullable InetAddress getLocalAddress() {
    return null;
  }

  @Override
  public int getLocalPort() {
    return -1;
  }

  /** Counts exchanges; bytes are not counted, and are -1. */
  @Override
  public HttpConnectionMetrics getMetrics() {
    return metrics;
  }

  public String getId() {
    return "heddle-" + Integer.toHexString(System.identityHashCode(this));
  }

  @Override
  public String toString() {
    return "connection of " + route;
  }
}
