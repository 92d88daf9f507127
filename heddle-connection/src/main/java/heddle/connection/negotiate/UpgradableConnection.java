package heddle.connection.negotiate;

import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.connection.ForwardingConnection;
import heddle.connection.http1.HeadParsers;
import heddle.connection.http1.Http1Connection;
import heddle.connection.http2.Http2Connection;
import heddle.connection.http2.UpgradeOffer;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client's connection in cleartext whose first request offers the upgrade to HTTP/2 (RFC 7540
 * §3.2). It carries one exchange at a time until the server accepts that offer, and those of HTTP/2
 * from then on; if the server does not accept, it remains an HTTP/1.1 connection.
 */
final class UpgradableConnection
    implements ForwardingConnection, ConnectionListener, Http1Connection.Successor {
  private final SwitchingChannel channel;
  private final Limits limits;
  private final Duration settingsTimeout;
  private final ConnectionListener listener;
  private final Http1Connection first;

  /** The connection that carries exchanges now. Set once more, by the call that made the offer. */
  private volatile Connection current;

  private final AtomicBoolean offered = new AtomicBoolean(); // a request has offered the upgrade

  /** Both protocols report their end, but the listener is called once. */
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Begins to use a channel that was just opened. */
  UpgradableConnection(
      Channel channel,
      Limits limits,
      HeadParsers parsers,
      Duration settingsTimeout,
      ConnectionListener listener) {
    this.channel = new SwitchingChannel(channel);
    this.limits = limits;
    this.settingsTimeout = settingsTimeout;
    this.listener = listener;
    this.first = Http1Connection.start(this.channel, limits, parsers, false, this);
    this.current = first;
  }

  @Override
  public Response send(Request request, Exchange exchange) throws IOException {
    if (current == first && mayOffer(request) && offered.compareAndSet(false, true)) {
      return first.send(offering(request), exchange, this);
    }
    return current.send(request, exchange);
  }

  /** False if the request itself sets a field with which the upgrade is offered. */
  private static boolean mayOffer(Request request) {
    return !request.headers().contains(HeaderName.CONNECTION)
        && !request.headers().contains(HeaderName.UPGRADE)
        && !request.headers().contains(HeaderName.HTTP2_SETTINGS);
  }

  private Request offering(Request request) {
    Headers fields = request.headers().toBuilder()
        .add(HeaderName.CONNECTION, "Upgrade, HTTP2-Settings")
        .add(HeaderName.UPGRADE, UpgradeOffer.H2C)
        .add(HeaderName.HTTP2_SETTINGS, Http2Connection.upgradeSettings(limits))
        .build();
    return request.toBuilder().headers(fields).build();
  }

  // ---- the server has switched

  @Override
  public boolean accepts(Headers head) {
    return UpgradeOffer.isNamedIn(head);
  }

  @Override
  public Response follow(Request request, Exchange exchange, ByteBuffer rest) throws IOException {
    channel.ahead = rest;
    return Http2Connection.upgrade(
        request, exchange, channel, limits, settingsTimeout, this, this::becomes);
  }

  private void becomes(Connection connection) {
    current = connection;
    listener.capacityChanged(); // Other calls need not wait for this response to use it.
  }

  @Override
  public void closed() {
    if (closed.compareAndSet(false, true)) {
      listener.closed();
    }
  }

  @Override
  public void capacityChanged() {
    listener.capacityChanged();
  }

  // ---- the connection that carries exchanges now

  @Override
  public Connection target() {
    return current;
  }

  @Override
  public long id() {
    return first.id();
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public String toString() {
    return current.toString();
  }
}
