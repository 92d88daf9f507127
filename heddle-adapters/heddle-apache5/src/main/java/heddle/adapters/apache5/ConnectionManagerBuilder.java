package heddle.adapters.apache5;

import heddle.client.settings.PoolLimits;
import heddle.transport.tls.TlsOptions;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.core5.function.Resolver;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * What the builders of both managers have in common. The setters have the names of Apache's own
 * builders. Not thread-safe.
 *
 * @param <B> the builder
 */
public abstract sealed class ConnectionManagerBuilder<B extends ConnectionManagerBuilder<B>>
    implements Cloneable
    permits HeddleConnectionManagerBuilder, HeddleAsyncConnectionManagerBuilder {
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

  @Nullable
  TlsStrategy strategy;

  private @Nullable HostnameVerifier verifier;
  private boolean ofTheSystem;

  ConnectionManagerBuilder() {}

  @SuppressWarnings("unchecked") // each builder extends this with its own type
  private B self() {
    return (B) this;
  }

  /** Returns a copy, which may be changed independently. */
  final ConnectionManagerBuilder<?> copy() {
    try {
      return (ConnectionManagerBuilder<?>) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- the pool

  /** Sets how many endpoints may be leased at a time; 1,024 if not called. */
  public final B setMaxConnTotal(int connections) {
    maxTotal = connections;
    return self();
  }

  /** Sets how many endpoints may be leased per route; 256 if not called. */
  public final B setMaxConnPerRoute(int connections) {
    maxPerRoute = connections;
    return self();
  }

  /** Accepts either policy; the limits always hold exactly, as with {@code STRICT}. */
  public final B setPoolConcurrencyPolicy(@Nullable PoolConcurrencyPolicy policy) {
    return self();
  }

  /** Accepts either policy; the connection that was used last is always reused first. */
  public final B setConnPoolPolicy(@Nullable PoolReusePolicy policy) {
    return self();
  }

  // ---- connections

  /** Sets timeouts and lifetimes of connections; null for Apache's defaults. */
  public final B setDefaultConnectionConfig(@Nullable ConnectionConfig config) {
    connectionConfig = config == null ? ConnectionConfig.DEFAULT : config;
    return self();
  }

  /** Sets timeouts and lifetimes per route. Routes without a configuration use the default. */
  public final B setConnectionConfigResolver(
      @Nullable Resolver<HttpRoute, ConnectionConfig> resolver) {
    connectionConfigs = resolver;
    return self();
  }

  /**
   * Sets how long connections take new requests.
   *
   * @deprecated use {@link #setDefaultConnectionConfig}
   */
  @Deprecated
  public final B setConnectionTimeToLive(TimeValue timeToLive) {
    return setDefaultConnectionConfig(
        ConnectionConfig.copy(connectionConfig).setTimeToLive(timeToLive).build());
  }

  /**
   * Has no effect: Heddle notices at once when a server closes a connection.
   *
   * @deprecated use {@link #setDefaultConnectionConfig}
   */
  @Deprecated
  public final B setValidateAfterInactivity(TimeValue inactivity) {
    return self();
  }

  /** Sets socket options; null for Apache's defaults. */
  public final B setDefaultSocketConfig(@Nullable SocketConfig config) {
    socketConfig = config == null ? SocketConfig.DEFAULT : config;
    return self();
  }

  /**
   * Sets socket options per route. Routes without a configuration use the default. An option that
   * cannot be honoured fails the request with an {@link IllegalArgumentException} that names it.
   */
  public final B setSocketConfigResolver(@Nullable Resolver<HttpRoute, SocketConfig> resolver) {
    socketConfigs = resolver;
    return self();
  }

  /** Sets the resolver of host names, which is asked for each new connection. */
  public final B setDnsResolver(@Nullable DnsResolver resolver) {
    names = resolver;
    return self();
  }

  /** Sets the resolver of default ports. */
  public final B setSchemePortResolver(@Nullable SchemePortResolver resolver) {
    ports = resolver;
    return self();
  }

  // ---- TLS

  /** Sets TLS versions, cipher suites and the handshake timeout; null for Apache's defaults. */
  public final B setDefaultTlsConfig(@Nullable TlsConfig config) {
    tlsConfig = config == null ? TlsConfig.DEFAULT : config;
    return self();
  }

  /** Sets the same per host. Hosts without a configuration use the default. */
  public final B setTlsConfigResolver(@Nullable Resolver<HttpHost, TlsConfig> resolver) {
    tlsConfigs = resolver;
    return self();
  }

  /**
   * Sets trusted certificates and client keys, as for a {@code DefaultClientTlsStrategy}. The host
   * is verified in the handshake.
   */
  public final B setSslContext(@Nullable SSLContext newContext) {
    context = newContext;
    return self();
  }

  /**
   * Sets what decides whether a trusted certificate is for the host, instead of the JDK, as for a
   * {@code DefaultClientTlsStrategy}. May be combined with {@link #setSslContext}.
   */
  public final B setHostnameVerifier(@Nullable HostnameVerifier newVerifier) {
    verifier = newVerifier;
    return self();
  }

  /**
   * Sets Heddle's own TLS options. Cannot be combined with anything else about TLS, except timeouts
   * and versions of HTTP.
   */
  public final B setTlsOptions(@Nullable TlsOptions options) {
    tls = options;
    return self();
  }

  /**
   * Uses the system properties of TLS, such as {@code javax.net.ssl.keyStore} and {@code
   * https.protocols}, unless another method has set certificates.
   */
  public final B useSystemProperties() {
    ofTheSystem = true;
    return self();
  }

  /** The TLS strategy that these options amount to; null if there is no need for one. */
  final @Nullable TlsStrategy effectiveStrategy() {
    if (verifier != null) {
      SSLContext given = context == null ? SSLContexts.createDefault() : context;
      return new DefaultClientTlsStrategy(given, HostnameVerificationPolicy.CLIENT, verifier);
    }
    return strategy == null && ofTheSystem && context == null && tls == null
        ? DefaultClientTlsStrategy.createSystemDefault()
        : strategy;
  }

  /**
   * Checks that the options do not contradict each other.
   *
   * @throws IllegalArgumentException if two options set the same; the message names them
   */
  final void requireOneSourceOfTls() {
    if (tls != null) {
      requireNoOther(tlsConfig);
    }
    boolean owned = context != null || verifier != null;
    if ((tls != null && (owned || strategy != null || tlsConfigs != null))
        || (strategy != null && owned)) {
      throw new IllegalArgumentException("setTlsOptions, a TLS strategy, and setSslContext with"
          + " setHostnameVerifier each set the certificates and names to accept: use one of them");
    }
  }

  /**
   * Checks a configuration that comes with Heddle's TLS options.
   *
   * @throws IllegalArgumentException if the configuration sets what Heddle's TLS options also set
   */
  static void requireNoOther(TlsConfig config) {
    if (config.getSupportedProtocols() != null || config.getSupportedCipherSuites() != null) {
      throw new IllegalArgumentException("setTlsOptions and TlsConfig both set TLS versions or"
          + " cipher suites: use one of them");
    }
  }
}
