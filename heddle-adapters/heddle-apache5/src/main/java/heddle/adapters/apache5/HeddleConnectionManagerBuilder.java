package heddle.adapters.apache5;

import heddle.client.pool.PoolLimits;
import heddle.transport.tls.TlsOptions;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.function.Resolver;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link HeddleConnectionManager} is made with, by the names that Apache's own builder uses.
 * Not safe for use by several threads.
 */
public final class HeddleConnectionManagerBuilder {
  static final String TWO_SOURCES_OF_TLS = "tlsOptions say whom to trust and which versions and"
      + " cipher suites to use, and so do sslContext and TlsConfig: give one of them";

  int maxTotal = PoolLimits.DEFAULTS.maxTotal();
  int maxPerRoute = PoolLimits.DEFAULTS.maxPerRoute();
  ConnectionConfig connectionConfig = ConnectionConfig.DEFAULT;
  SocketConfig socketConfig = SocketConfig.DEFAULT;
  TlsConfig tlsConfig = TlsConfig.DEFAULT;

  @Nullable
  Resolver<HttpRoute, ConnectionConfig> connectionConfigs;

  @Nullable
  Resolver<HttpRoute, SocketConfig> socketConfigs;

  @Nullable
  Resolver<HttpHost, TlsConfig> tlsConfigs;

  @Nullable
  DnsResolver names;

  @Nullable
  SchemePortResolver ports;

  @Nullable
  SSLContext context;

  @Nullable
  TlsOptions tls;

  HeddleConnectionManagerBuilder() {}

  /** How many requests may be under way at a time, each on a connection; 512 if not called. */
  public HeddleConnectionManagerBuilder setMaxConnTotal(int connections) {
    maxTotal = connections;
    return this;
  }

  /** How many of them may be for one route; 64 if not called. */
  public HeddleConnectionManagerBuilder setMaxConnPerRoute(int connections) {
    maxPerRoute = connections;
    return this;
  }

  /** Timeouts and life times of connections. */
  public HeddleConnectionManagerBuilder setDefaultConnectionConfig(ConnectionConfig config) {
    connectionConfig = config;
    return this;
  }

  /** Timeouts and life times by route; what it does not know has the default one. */
  public HeddleConnectionManagerBuilder setConnectionConfigResolver(
      @Nullable Resolver<HttpRoute, ConnectionConfig> resolver) {
    connectionConfigs = resolver;
    return this;
  }

  /** Options of sockets, of which {@code soTimeout} and {@code soKeepAlive} can be set. */
  public HeddleConnectionManagerBuilder setDefaultSocketConfig(SocketConfig config) {
    socketConfig = config;
    return this;
  }

  /**
   * Options of sockets by route; what it does not know has the default ones. One that cannot be
   * honoured fails the request with an {@link IllegalArgumentException} that names it.
   */
  public HeddleConnectionManagerBuilder setSocketConfigResolver(
      @Nullable Resolver<HttpRoute, SocketConfig> resolver) {
    socketConfigs = resolver;
    return this;
  }

  /** Versions and cipher suites of TLS, and how long its handshake may take. */
  public HeddleConnectionManagerBuilder setDefaultTlsConfig(TlsConfig config) {
    tlsConfig = config;
    return this;
  }

  /** The same by host; what it does not know has the default one. */
  public HeddleConnectionManagerBuilder setTlsConfigResolver(
      @Nullable Resolver<HttpHost, TlsConfig> resolver) {
    tlsConfigs = resolver;
    return this;
  }

  /** Looks host names up, for each connection anew. */
  public HeddleConnectionManagerBuilder setDnsResolver(DnsResolver resolver) {
    names = resolver;
    return this;
  }

  /** Knows the ports of schemes. */
  public HeddleConnectionManagerBuilder setSchemePortResolver(SchemePortResolver resolver) {
    ports = resolver;
    return this;
  }

  /**
   * Whom to trust and who to be, as one would give it to a {@code DefaultClientTlsStrategy}. The
   * host is verified in the handshake.
   */
  public HeddleConnectionManagerBuilder setSslContext(SSLContext newContext) {
    context = newContext;
    return this;
  }

  /** Whom to trust and who to be, in Heddle's own terms; not together with what says the same. */
  public HeddleConnectionManagerBuilder setTlsOptions(TlsOptions options) {
    tls = options;
    return this;
  }

  /** One that is told the same, and may be told other things then. */
  HeddleConnectionManagerBuilder copy() {
    HeddleConnectionManagerBuilder copy = new HeddleConnectionManagerBuilder();
    copy.maxTotal = maxTotal;
    copy.maxPerRoute = maxPerRoute;
    copy.connectionConfig = connectionConfig;
    copy.socketConfig = socketConfig;
    copy.tlsConfig = tlsConfig;
    copy.connectionConfigs = connectionConfigs;
    copy.socketConfigs = socketConfigs;
    copy.tlsConfigs = tlsConfigs;
    copy.names = names;
    copy.ports = ports;
    copy.context = context;
    copy.tls = tls;
    return copy;
  }

  void requireOneSourceOfTls() {
    boolean others = context != null
        || tlsConfigs != null
        || tlsConfig.getSupportedProtocols() != null
        || tlsConfig.getSupportedCipherSuites() != null;
    if (tls != null && others) {
      throw new IllegalArgumentException(TWO_SOURCES_OF_TLS);
    }
  }

  /**
   * The manager.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleConnectionManager build() {
    return new HeddleConnectionManager(this);
  }

  /**
   * A manager for the asynchronous client.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleAsyncConnectionManager buildAsync() {
    return new HeddleAsyncConnectionManager(this);
  }
}
