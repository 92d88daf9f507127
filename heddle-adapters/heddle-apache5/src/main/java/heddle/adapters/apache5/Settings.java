package heddle.adapters.apache5;

import static heddle.adapters.support.lease.Refusals.refused;
import static heddle.adapters.support.lease.Refusals.require;
import static heddle.adapters.support.lease.Refusals.requireNoAddress;
import static heddle.adapters.support.lease.Refusals.requireRoute;
import static heddle.adapters.support.lease.Refusals.requireSocket;

import heddle.adapters.support.Clients;
import heddle.adapters.support.lease.LeaseClients;
import heddle.adapters.support.lease.LeaseClients.Times;
import heddle.client.spi.Proxy;
import heddle.http.HttpVersion;
import java.time.Duration;
import java.util.List;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * The settings from Apache's configurations for which a Heddle client is made. Calls with equal
 * settings share a client and its connections.
 *
 * @param keepAlive how the system probes silent connections; null if it does not
 * @param protocols names of TLS versions; empty for Heddle's default
 * @param cipherSuites names of TLS cipher suites; empty for Heddle's default
 * @param version of HTTP; null to negotiate it over TLS, and for HTTP/1.1 without TLS
 * @param proxy forwards requests or opens tunnels; null for none
 */
record Settings(
    Times times,
    @Nullable KeepAlive keepAlive,
    List<String> protocols,
    List<String> cipherSuites,
    @Nullable HttpVersion version,
    @Nullable Proxy proxy) {
  private static final Duration USUAL_CONNECT = Duration.ofMinutes(3);

  /**
   * When the system probes silent connections.
   *
   * @param idle after which silence; null for the system's setting
   * @param interval between probes without an answer; null for the system's setting
   */
  record KeepAlive(@Nullable Duration idle, @Nullable Duration interval) {
    /** What most systems use for the other one if only one of them is set. */
    private static final Duration USUAL_IDLE = Duration.ofHours(2);

    private static final Duration USUAL_INTERVAL = Duration.ofSeconds(75);

    static @Nullable KeepAlive of(SocketConfig socket) {
      Duration idle = seconds(socket.getTcpKeepIdle());
      Duration interval = seconds(socket.getTcpKeepInterval());
      if (!socket.isSoKeepAlive()) {
        return null;
      }
      return idle == null && interval == null
          ? new KeepAlive(null, null)
          : new KeepAlive(
              idle == null ? USUAL_IDLE : idle, interval == null ? USUAL_INTERVAL : interval);
    }

    private static @Nullable Duration seconds(int given) {
      return given > 0 ? Duration.ofSeconds(given) : null;
    }
  }

  /**
   * Returns the settings of these configurations.
   *
   * @param shares whether requests may share connections, which requires HTTP/2
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  static Settings of(
      ConnectionConfig connection, SocketConfig socket, TlsConfig tls, boolean shares) {
    requireHonourable(socket);
    HttpVersion version = version(tls.getHttpVersionPolicy(), shares);
    Duration connect = limit(connection.getConnectTimeout(), USUAL_CONNECT);
    Duration silence =
        limit(connection.getSocketTimeout(), limit(socket.getSoTimeout(), Clients.FOREVER));
    return new Settings(
        new Times(
            connect,
            limit(tls.getHandshakeTimeout(), connect),
            silence,
            bound(connection.getIdleTimeout()),
            bound(connection.getTimeToLive())),
        KeepAlive.of(socket),
        names(tls.getSupportedProtocols()),
        names(tls.getSupportedCipherSuites()),
        version,
        null);
  }

  private static List<String> names(String @Nullable [] given) {
    return given == null ? List.of() : List.of(given);
  }

  /** Converts a timeout of Apache's, where zero and negative values mean no timeout. */
  static Duration limit(@Nullable TimeValue timeout, Duration ifAbsent) {
    return timeout == null ? ifAbsent : LeaseClients.limit(duration(timeout));
  }

  /** Converts a time of Apache's, whose maximum exceeds that of {@link Duration}. */
  static Duration duration(TimeValue time) {
    return time.toDays() > Clients.FOREVER.toDays() ? Clients.FOREVER : time.toDuration();
  }

  /** Converts a lifetime, where a negative value means no limit, and zero keeps no connection. */
  private static @Nullable Duration bound(@Nullable TimeValue time) {
    if (time == null) {
      return null;
    }
    Duration given = duration(time);
    if (given.isNegative()) {
      return Clients.FOREVER;
    }
    return given.isZero() ? Duration.ofNanos(1) : limit(time, Clients.FOREVER);
  }

  private static void requireHonourable(SocketConfig socket) {
    requireSocket(
        socket.isTcpNoDelay(),
        socket.getSoLinger().getDuration(),
        socket.isSoReuseAddress(),
        socket.getSndBufSize(),
        socket.getRcvBufSize());
    int usualCount = SocketConfig.DEFAULT.getTcpKeepCount();
    require(
        socket.getTcpKeepCount() <= 0 || socket.getTcpKeepCount() == usualCount,
        "SocketConfig.tcpKeepCount",
        socket.getTcpKeepCount(),
        "the system's own setting applies; omit it");
    require(
        socket.getSocksProxyAddress() == null,
        "SocketConfig.socksProxyAddress",
        socket.getSocksProxyAddress(),
        "this adapter supports HTTP proxies only");
  }

  private static @Nullable HttpVersion version(HttpVersionPolicy policy, boolean shares) {
    require(
        shares || policy != HttpVersionPolicy.FORCE_HTTP_2,
        "TlsConfig.httpVersionPolicy",
        policy,
        "a classic client speaks HTTP/1.1; omit it");
    return switch (policy) {
      case NEGOTIATE -> shares ? null : HttpVersion.HTTP_1_1;
      case FORCE_HTTP_1 -> HttpVersion.HTTP_1_1;
      case FORCE_HTTP_2 -> HttpVersion.HTTP_2;
    };
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
    require(
        route.getUnixDomainSocket() == null,
        "the Unix domain socket",
        route.getUnixDomainSocket(),
        "Heddle supports TCP only");
    requireOwnName(route);
    HttpHost target = route.getTargetHost();
    requireNoAddress(target.getHostName(), target.getAddress());
  }

  private static void requireOwnName(HttpRoute route) {
    NamedEndpoint name = route.getTargetName();
    String host = route.getTargetHost().getHostName();
    if (route.isSecure() && name != null && !name.getHostName().equalsIgnoreCase(host)) {
      throw refused(
          "the target's name",
          name,
          "the TLS handshake is for the host that is connected to, " + host
              + ": request that name, and set a DnsResolver if it has another address");
    }
  }

  /** The configuration of TLS that these settings were made of. */
  TlsConfig tlsConfig() {
    return TlsConfig.custom()
        .setSupportedProtocols(protocols.isEmpty() ? null : protocols.toArray(String[]::new))
        .setSupportedCipherSuites(
            cipherSuites.isEmpty() ? null : cipherSuites.toArray(String[]::new))
        .setVersionPolicy(
            version == null
                ? HttpVersionPolicy.NEGOTIATE
                : version == HttpVersion.HTTP_2
                    ? HttpVersionPolicy.FORCE_HTTP_2
                    : HttpVersionPolicy.FORCE_HTTP_1)
        .build();
  }

  // ---- changes per call

  Settings with(Times newTimes) {
    return newTimes.equals(times)
        ? this
        : new Settings(newTimes, keepAlive, protocols, cipherSuites, version, proxy);
  }

  /**
   * Returns the settings of an asynchronous request with its own TLS configuration.
   *
   * @throws IllegalArgumentException if it cannot be honoured; the message names the option
   */
  Settings withTls(TlsConfig config, boolean tunnelled) {
    Duration handshake = limit(config.getHandshakeTimeout(), times.connect());
    Settings changed = new Settings(
        new Times(times.connect(), handshake, times.silence(), times.idle(), times.age()),
        keepAlive,
        names(config.getSupportedProtocols()),
        names(config.getSupportedCipherSuites()),
        version(config.getHttpVersionPolicy(), true),
        proxy);
    return proxy == null ? changed : changed.withProxy(proxy, tunnelled);
  }

  /**
   * Returns the settings for requests through a proxy.
   *
   * @throws IllegalArgumentException if the proxy would have to forward requests over HTTP/2
   */
  Settings withProxy(Proxy newProxy, boolean tunnelled) {
    require(
        tunnelled || version != HttpVersion.HTTP_2,
        "TlsConfig.httpVersionPolicy",
        HttpVersionPolicy.FORCE_HTTP_2,
        "requests for http targets are sent to " + newProxy + " over HTTP/1.1; omit it");
    return new Settings(times, keepAlive, protocols, cipherSuites, version, newProxy);
  }
}
