package heddle.adapters.apache4;

import heddle.adapters.support.Clients;
import heddle.client.settings.PoolLimits;
import heddle.transport.tls.TlsOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import org.apache.http.config.ConnectionConfig;
import org.apache.http.config.SocketConfig;
import org.apache.http.conn.DnsResolver;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link HeddleConnectionManager} or a {@link HeddleAsyncConnectionManager}. The setters
 * have the names of {@code HttpClientBuilder}, whose own are ignored when a connection manager is
 * set. Not thread-safe.
 */
public final class HeddleConnectionManagerBuilder {
  int maxTotal = PoolLimits.DEFAULTS.maxTotal();
  int maxPerRoute = PoolLimits.DEFAULTS.maxPerRoute();
  SocketConfig socketConfig = SocketConfig.DEFAULT;

  @Nullable
  Duration age;

  @Nullable
  DnsResolver names;

  private @Nullable SSLContext context;
  private @Nullable HostnameVerifier verifier;
  private String @Nullable [] protocols;
  private String @Nullable [] cipherSuites;

  HeddleConnectionManagerBuilder() {}

  /** Sets how many connections may be leased at a time; 1,024 if not called. */
  public HeddleConnectionManagerBuilder setMaxConnTotal(int connections) {
    maxTotal = connections;
    return this;
  }

  /** Sets how many connections may be leased per route; 256 if not called. */
  public HeddleConnectionManagerBuilder setMaxConnPerRoute(int connections) {
    maxPerRoute = connections;
    return this;
  }

  /** Sets how long a connection takes requests; 0 and negative values restore the default. */
  public HeddleConnectionManagerBuilder setConnectionTimeToLive(long time, TimeUnit unit) {
    age = time <= 0 ? null : Settings.limit(unit.toMillis(time));
    return this;
  }

  /**
   * Sets socket options, of which {@code soTimeout} and {@code soKeepAlive} are supported.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleConnectionManagerBuilder setDefaultSocketConfig(SocketConfig config) {
    Settings.requireHonourable(config);
    socketConfig = config;
    return this;
  }

  /**
   * Accepts buffer sizes, which are hints, and ignores them.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleConnectionManagerBuilder setDefaultConnectionConfig(ConnectionConfig config) {
    Settings.requireHonourable(config);
    return this;
  }

  /** Sets trusted certificates and client keys; those of the JVM if not called. */
  public HeddleConnectionManagerBuilder setSSLContext(SSLContext newContext) {
    context = newContext;
    return this;
  }

  /**
   * Sets what decides whether a certificate is for the host, such as {@code NoopHostnameVerifier}.
   * By default the rules of RFC 9525 apply. It is called within the handshake, before a request is
   * sent; the context still decides whether the certificate is trusted.
   */
  public HeddleConnectionManagerBuilder setSSLHostnameVerifier(HostnameVerifier newVerifier) {
    verifier = newVerifier;
    return this;
  }

  /** Sets the names of TLS versions; TLS 1.3 and 1.2 if not called. */
  public HeddleConnectionManagerBuilder setSupportedProtocols(String... names) {
    protocols = names.clone();
    return this;
  }

  /** Sets the names of cipher suites; those of the JVM if not called. */
  public HeddleConnectionManagerBuilder setSupportedCipherSuites(String... names) {
    cipherSuites = names.clone();
    return this;
  }

  /** Sets the resolver of host names, which is asked for each new connection. */
  public HeddleConnectionManagerBuilder setDnsResolver(DnsResolver resolver) {
    names = resolver;
    return this;
  }

  /** Returns the options of TLS; null for Heddle's defaults. */
  @Nullable
  TlsOptions tlsOptions() {
    if (context == null && verifier == null && protocols == null && cipherSuites == null) {
      return null;
    }
    TlsOptions.Builder options = TlsOptions.builder();
    if (context != null || verifier != null) {
      options = Clients.tls(context == null ? Clients.defaultContext() : context, verifier);
    }
    if (protocols != null) {
      options.protocols(protocols);
    }
    if (cipherSuites != null) {
      options.cipherSuites(cipherSuites);
    }
    return options.build();
  }

  /** Builds a manager for {@code HttpClientBuilder}. */
  public HeddleConnectionManager build() {
    return new HeddleConnectionManager(this);
  }

  /** Builds a manager for {@code HttpAsyncClientBuilder}. */
  public HeddleAsyncConnectionManager buildAsync() {
    return new HeddleAsyncConnectionManager(this);
  }
}
