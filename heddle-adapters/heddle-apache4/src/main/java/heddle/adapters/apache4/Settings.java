package heddle.adapters.apache4;

import heddle.adapters.support.lease.LeaseClients;
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
 * @param connect timeout for opening a connection
 * @param tls timeout of the TLS handshake; null for that of opening the connection
 * @param silence how long the server may send nothing
 * @param age how long a connection takes new calls; null for Heddle's default
 * @param keepAlive whether the system probes silent connections
 * @param proxy forwards requests or opens tunnels; null for none
 */
record Settings(
    Duration connect,
    @Nullable Duration tls,
    Duration silence,
    @Nullable Duration age,
    boolean keepAlive,
    @Nullable Proxy proxy) {

  /** Returns the settings for a route. */
  static Settings of(HttpRoute route, SocketConfig socket, @Nullable Duration age) {
    int silence = socket.getSoTimeout();
    HttpHost proxy = route.getProxyHost();
    return new Settings(
        LeaseClients.NO_LIMIT,
        silence > 0 ? limit(silence) : null,
        limit(silence),
        age,
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
    Duration given = Duration.ofMillis(millis);
    return given.isPositive() && given.compareTo(LeaseClients.NO_LIMIT) < 0
        ? given
        : LeaseClients.NO_LIMIT;
  }

  Settings withConnect(Duration timeout) {
    return timeout.equals(connect)
        ? this
        : new Settings(timeout, tls, silence, age, keepAlive, proxy);
  }

  Settings withSilence(Duration timeout) {
    return timeout.equals(silence)
        ? this
        : new Settings(connect, tls, timeout, age, keepAlive, proxy);
  }

  LeaseClients.Times times() {
    return new LeaseClients.Times(connect, tls == null ? connect : tls, silence, null, age);
  }

  // ---- what cannot be honoured

  /**
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  static void requireHonourable(SocketConfig socket) {
    require(
        socket.isTcpNoDelay(),
        "SocketConfig.tcpNoDelay",
        false,
        "small writes are never delayed; leave it on");
    require(
        socket.getSoLinger() < 0,
        "SocketConfig.soLinger",
        socket.getSoLinger(),
        "sockets are closed in the background; omit it");
    require(
        !socket.isSoReuseAddress(),
        "SocketConfig.soReuseAddress",
        true,
        "no local address is bound; omit it");
    require(
        socket.getSndBufSize() <= 0 && socket.getRcvBufSize() <= 0,
        "SocketConfig.sndBufSize and rcvBufSize",
        socket.getSndBufSize() + " and " + socket.getRcvBufSize(),
        "the system sizes the buffers of sockets; omit them");
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
    require(
        !route.isTunnelled() || route.isSecure(),
        "a tunnel",
        route,
        "requests for http targets are sent to their proxy without a tunnel");
    require(
        route.getHopCount() <= 2, "a chain of proxies", route, "at most one proxy is supported");
    require(
        route.getLocalAddress() == null,
        "RequestConfig.localAddress",
        route.getLocalAddress(),
        "the system chooses the local address of connections; omit it");
    HttpHost target = route.getTargetHost();
    require(
        target.getAddress() == null || isItsName(target),
        "the address of the target",
        target + " at " + target.getAddress(),
        "names are looked up per connection: set a DnsResolver that knows this one");
  }

  private static boolean isItsName(HttpHost target) {
    String address = target.getAddress().getHostAddress();
    String name = target.getHostName();
    return name.equals(address) || name.equals("[" + address + "]");
  }

  private static void require(
      boolean honourable, String option, @Nullable Object given, String reason) {
    if (!honourable) {
      throw new IllegalArgumentException(
          "%s cannot be honoured (it is %s): %s".formatted(option, given, reason));
    }
  }
}
