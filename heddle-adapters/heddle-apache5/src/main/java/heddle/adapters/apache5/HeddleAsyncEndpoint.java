package heddle.adapters.apache5;

import heddle.client.HttpClient;
import heddle.http.Origin;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.EndpointInfo;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.client5.http.nio.AsyncConnectionEndpoint;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.AsyncPushConsumer;
import org.apache.hc.core5.http.nio.HandlerFactory;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** What an asynchronous request leases. Safe for use by many threads, one exchange at a time. */
final class HeddleAsyncEndpoint extends AsyncConnectionEndpoint {
  private final HeddleAsyncConnectionManager manager;
  private final HttpRoute route;
  private final Origin origin;
  private final Leases.Waiter lease;
  private final AtomicBoolean released = new AtomicBoolean();

  private volatile Settings settings;
  private volatile boolean connected;
  private volatile @Nullable AsyncExchange current;

  /** How Apache has asked for a tunnel; null where it has not. */
  private volatile @Nullable HttpRequest connect;

  HeddleAsyncEndpoint(
      HeddleAsyncConnectionManager manager,
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
  }

  Origin origin() {
    return origin;
  }

  HttpHost host() {
    return route.getTargetHost();
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

  void connect(@Nullable TimeValue timeout) {
    if (released.get()) {
      throw new ConnectionShutdownException();
    }
    if (timeout != null) {
      settings = settings.withConnect(Settings.limit(timeout, settings.connect()));
    }
    connected = true;
  }

  @Override
  public boolean isConnected() {
    return connected;
  }

  @Override
  public void setSocketTimeout(Timeout timeout) {
    settings = settings.withSilence(Settings.limit(timeout, Settings.NO_LIMIT));
  }

  @Override
  public EndpointInfo getInfo() {
    AsyncExchange known = current;
    return new EndpointInfo(HttpVersion.HTTP_1_1, known == null ? null : known.tlsSession());
  }

  /** Makes the exchange on a virtual thread. Nothing is ever pushed over HTTP/1.1. */
  @Override
  public void execute(
      String id,
      AsyncClientExchangeHandler handler,
      @Nullable HandlerFactory<AsyncPushConsumer> pushHandlers,
      HttpContext context) {
    if (!connected) {
      throw new ConnectionShutdownException();
    }
    AsyncExchange exchange = new AsyncExchange(this, handler, context);
    current = exchange;
    if (!connected) {
      // Closed by another thread since it was looked at.
      exchange.end();
    }
    Thread.ofVirtual().name("heddle-apache5-call").start(exchange);
  }

  @Override
  public void close(CloseMode mode) {
    connected = false;
    AsyncExchange open = current;
    if (open != null) {
      open.end();
    }
  }

  /** Gives the lease back, once, and what is left of its exchange up. */
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
