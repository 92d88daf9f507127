package heddle.adapters.apache4;

import static heddle.adapters.support.lease.Refusals.require;
import static heddle.adapters.support.lease.Refusals.requireNoAddress;
import static heddle.adapters.support.lease.Refusals.requireRoute;
import static heddle.adapters.support.lease.Refusals.requireSocket;

import heddle.adapters.support.Clients;
import heddle.adapters.support.lease.LeaseClients;
import heddle.adapters.support.lease.LeaseClients.Times;
import heddle.client.spi.Proxy;
import java.time.Duration;
import org.apache.http.HttpHost;
import org.apache.http.config.ConnectionConfig;
import org.apache.http.config.MessageConstraints;
import org.apache.http.config.SocketConfig;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.impl.conn.DefaultSchemePortResolver;
import org.jspecify.annotations.Nullable;

/**
 * The settings from Apache's configurations for which a Heddle client is made. Calls with equal
 * settings share a client and its connections.
 *
 * @param keepAlive whether the system probes silent connections
 * @param proxy forwards requests or opens tunnels; null for none
 */
record Settings(Times times, boolean keepAlive, @Nullable Proxy proxy) {
  /** Returns the settings for a route. */
  static Settings of(HttpRoute route, SocketConfig socket, @Nullable Duration age) {
    Duration silence = limit(socket.getSoTimeout());
    HttpHost proxy = route.getProxyHost();
    // The handshake has the timeout of the socket if it has one, otherwise that of connecting.
    return new Settings(
        new Times(Clients.FOREVER, silence, silence, null, age),
        socket.isSoKeepAlive(),
        proxy == null ? null : proxy(proxy));
  }

  private static Proxy proxy(HttpHost proxy) {
    int port = port(proxy);
    return proxy.getSchemeName().equals("https")
        ? Proxy.https(proxy.getHostName(), port)
        : Proxy.http(proxy.getHostName(), port);
  }

  /** The port of a host, by default that of its scheme. */
  static int port(HttpHost host) {
    try {
      return host.getPort() < 0 ? DefaultSchemePortResolver.INSTANCE.resolve(host) : host.getPort();
    } catch (org.apache.http.conn.UnsupportedSchemeException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Converts a timeout of Apache's in milliseconds, where 0 and negative values mean no limit. */
  static Duration limit(long millis) {
    return LeaseClients.limit(Duration.ofMillis(millis));
  }

  Settings with(Times newTimes) {
    return newTimes.equals(times) ? this : new Settings(newTimes, keepAlive, proxy);
  }

  // ---- what cannot be honoured

  /**
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  static void requireHonourable(SocketConfig socket) {
    requireSocket(
        socket.isTcpNoDelay(),
        socket.getSoLinger(),
        socket.isSoReuseAddress(),
        socket.getSndBufSize(),
        socket.getRcvBufSize());
  }

  /**
   * Buffer sizes are hints, and ignored.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  static void requireHonourable(ConnectionConfig connection) {
    require(
        connection.getCharset() == null
            || connection.getCharset().equals(java.nio.charset.StandardCharsets.US_ASCII),
        "ConnectionConfig.charset",
        connection.getCharset(),
        "heads of messages are read and written as ISO-8859-1; omit it");
    MessageConstraints limits = connection.getMessageConstraints();
    require(
        limits == null || (limits.getMaxHeaderCount() <= 0 && limits.getMaxLineLength() <= 0),
        "ConnectionConfig.messageConstraints",
        limits,
        "a head has at most 64 KiB and 200 fields; omit it");
  }

  /**
   * @throws IllegalArgumentException if Heddle cannot use this route; the message says why
   */
  static void requireHonourable(HttpRoute route) {
    requireRoute(
        route,
        !route.isTunnelled() || route.isSecure(),
        route.getHopCount(),
        route.getLocalAddress());
    HttpHost target = route.getTargetHost();
    requireNoAddress(target.getHostName(), target.getAddress());
  }
}
