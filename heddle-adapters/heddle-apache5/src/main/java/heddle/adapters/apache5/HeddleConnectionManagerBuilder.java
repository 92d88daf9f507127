package heddle.adapters.apache5;

import heddle.client.settings.PoolLimits;
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
 * Builds a {@link HeddleConnectionManager}. The setters have the names of Apache's own builder. Not
 * thread-safe.
 */
public final class HeddleConnectionManagerBuilder {
  static final String TWO_SOURCES_OF_TLS = "tlsOptions say which certificates, versions and"
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

  /** Sets how many endpoints may be leased at a time; 512 if not called. */
  public HeddleConnectionManagerBuilder setMaxConnTotal(int connections) {
    maxTotal = connections;
    return this;
  }

  /** Sets how many endpoints may be leased per route; 64 if not called. */
  public HeddleConnectionManagerBuilder setMaxConnPerRoute(int connections) {
    maxPerRoute = connections;
    return this;
  }

  /** Sets timeouts and lifetimes of connections. */
  public HeddleConnectionManagerBuilder setDefaultConnectionConfig(ConnectionConfig config) {
    connectionConfig = config;
    return this;
  }

  /** Sets timeouts and lifetimes per route. Routes without a configuration use the default. */
  public HeddleConnectionManagerBuilder setConnectionConfigResolver(
      @Nullable Resolver<HttpRoute, ConnectionConfig> resolver) {
    connectionConfigs = resolver;
    return this;
  }

  /** Sets socket options, of which {@code soTimeout} and {@code soKeepAlive} are supported. */
  public HeddleConnectionManagerBuilder setDefaultSocketConfig(SocketConfig config) {
    socketConfig = config;
    return this;
  }

  /**
   * Sets socket options per route. Routes without a configuration use the default. An option that
   * cannot be honoured fails the request with an {@link IllegalArgumentException} that names it.
   */
  public HeddleConnectionManagerBuilder setSocketConfigResolver(
      @Nullable Resolver<HttpRoute, SocketConfig> resolver) {
    socketConfigs = resolver;
    return this;
  }

  /** Sets TLS versions, cipher suites and the handshake timeout. */
  public HeddleConnectionManagerBuilder setDefaultTlsConfig(TlsConfig config) {
    tlsConfig = config;
    return this;
  }

  /** Sets the same per host. Hosts without a configuration use the default. */
  public HeddleConnectionManagerBuilder setTlsConfigResolver(
      @Nullable Resolver<HttpHost, TlsConfig> resolver) {
    tlsConfigs = resolver;
    return this;
  }

  /** Sets the resolver of host names, which is asked for each new connection. */
  public HeddleConnectionManagerBuilder setDnsResolver(DnsResolver resolver) {
    names = resolver;
    return this;
  }

  /** Sets the resolver of default ports. */
  public HeddleConnectionManagerBuilder setSchemePortResolver(SchemePortResolver resolver) {
    ports = resolver;
    return this;
  }

  /**
   * Sets trusted certificates and client keys, as for a {@code DefaultClientTlsStrategy}. The host
   * is verified in the handshake.
   */
  public HeddleConnectionManagerBuilder setSslContext(SSLContext newContext) {
    context = newContext;
    return this;
  }

  /**
   * Sets Heddle's own TLS options. Cannot be combined with an SSL context or a {@code TlsConfig}.
   */
  public HeddleConnectionManagerBuilder setTlsOptions(TlsOptions options) {
    tls = options;
    return this;
  }

  /** Returns a copy, which may be changed independently. */
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
   * Builds the manager.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleConnectionManager build() {
    return new HeddleConnectionManager(this);
  }

  /**
   * Builds a manager for the asynchronous client.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleAsyncConnectionManager buildAsync() {
    return new HeddleAsyncConnectionManager(this);
  }
}
