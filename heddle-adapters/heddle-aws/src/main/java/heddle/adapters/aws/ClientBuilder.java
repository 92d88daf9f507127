package heddle.adapters.aws;

import heddle.client.spi.ProxySelector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.ProtocolNegotiation;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.TlsKeyManagersProvider;
import software.amazon.awssdk.http.TlsTrustManagersProvider;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Sets the SDK's own options, under the names that its builders use. An option that is not set here
 * comes from the service whose client uses it, then from the SDK's global defaults. A duration of
 * zero means no limit. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract sealed class ClientBuilder<B extends ClientBuilder<B>>
    permits HeddleHttpClient.Builder, HeddleAsyncHttpClient.Builder {
  private final AttributeMap.Builder options = AttributeMap.builder();
  private @Nullable ProxySelector proxies;

  ClientBuilder() {}

  abstract B self();

  final AttributeMap given() {
    return options.build();
  }

  /** The proxies that were set, or else the system's. */
  final ProxySelector chosenProxies() {
    return proxies == null ? ProxySelector.fromSystem() : proxies;
  }

  /**
   * Sets the proxies of calls. The default is what the JDK's system properties and the
   * environment say when the client is built ({@link ProxySelector#fromSystem}), as with the
   * SDK's own clients. Use {@code origin -> List.of()} for none.
   */
  public final B proxies(ProxySelector selector) {
    proxies = selector;
    return self();
  }

  /**
   * Sets any of the SDK's options.
   *
   * @throws IllegalArgumentException when the client is built, if the option cannot be honoured
   */
  public final <T> B option(SdkHttpConfigurationOption<T> option, T value) {
    options.put(option, value);
    return self();
  }

  /** Sets how many calls may run at the same time; for an asynchronous client, per host. */
  public final B maxConcurrency(int calls) {
    return option(SdkHttpConfigurationOption.MAX_CONNECTIONS, calls);
  }

  /** The same as {@link #maxConcurrency}, as the SDK's blocking clients call it. */
  public final B maxConnections(int connections) {
    return maxConcurrency(connections);
  }

  /** Sets how many calls may wait for a connection, per host. */
  public final B maxPendingConnectionAcquires(int calls) {
    return option(SdkHttpConfigurationOption.MAX_PENDING_CONNECTION_ACQUIRES, calls);
  }

  /** Sets how long the server may be silent before or within its response. */
  public final B readTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.READ_TIMEOUT, timeout);
  }

  /** The same as {@link #readTimeout}, as the SDK's blocking clients call it. */
  public final B socketTimeout(Duration timeout) {
    return readTimeout(timeout);
  }

  /** Sets how long the server may accept no bytes of request content that is sent from a stream. */
  public final B writeTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.WRITE_TIMEOUT, timeout);
  }

  /** Sets how long opening a connection may take, for all addresses of a host together. */
  public final B connectionTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.CONNECTION_TIMEOUT, timeout);
  }

  /** Sets how long a call may wait for a connection. */
  public final B connectionAcquisitionTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT, timeout);
  }

  /** Sets how long an idle connection is kept. */
  public final B connectionMaxIdleTime(Duration time) {
    return option(SdkHttpConfigurationOption.CONNECTION_MAX_IDLE_TIMEOUT, time);
  }

  /** Sets how long a connection accepts new calls. */
  public final B connectionTimeToLive(Duration time) {
    return option(SdkHttpConfigurationOption.CONNECTION_TIME_TO_LIVE, time);
  }

  /** Sets whether idle connections are closed after {@link #connectionMaxIdleTime}. */
  public final B useIdleConnectionReaper(boolean whether) {
    return option(SdkHttpConfigurationOption.REAP_IDLE_CONNECTIONS, whether);
  }

  /** Sets how long the TLS handshake may take. */
  public final B tlsNegotiationTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.TLS_NEGOTIATION_TIMEOUT, timeout);
  }

  /** Sets the keys for servers that request a client certificate. */
  public final B tlsKeyManagersProvider(TlsKeyManagersProvider provider) {
    return option(SdkHttpConfigurationOption.TLS_KEY_MANAGERS_PROVIDER, provider);
  }

  /** Sets the trust managers, instead of the JDK's. */
  public final B tlsTrustManagersProvider(TlsTrustManagersProvider provider) {
    return option(SdkHttpConfigurationOption.TLS_TRUST_MANAGERS_PROVIDER, provider);
  }

  /** Sets the version of HTTP. */
  public final B protocol(Protocol protocol) {
    return option(SdkHttpConfigurationOption.PROTOCOL, protocol);
  }

  /** Sets whether the version is assumed, or negotiated by ALPN, which prefers HTTP/2. */
  public final B protocolNegotiation(ProtocolNegotiation negotiation) {
    return option(SdkHttpConfigurationOption.PROTOCOL_NEGOTIATION, negotiation);
  }

  /** Sets whether the system probes silent connections. */
  public final B tcpKeepAlive(boolean whether) {
    return option(SdkHttpConfigurationOption.TCP_KEEPALIVE, whether);
  }
}
