package heddle.adapters.aws;

import heddle.client.proxy.Proxies;
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
 * What both clients are made with: the SDK's own options, under the names that its builders use.
 * What is not given here comes from the service whose client it is made for, then from the SDK's
 * global defaults. A duration of zero means no limit. Not safe for use by several threads.
 *
 * @param <B> the builder itself
 */
public abstract sealed class ClientBuilder<B extends ClientBuilder<B>>
    permits HeddleHttpClient.Builder, HeddleAsyncHttpClient.Builder {
  private final AttributeMap.Builder options = AttributeMap.builder();
  private @Nullable ProxySelector proxies;

  ClientBuilder() {}

  abstract B self();

  /** What was given. */
  final AttributeMap given() {
    return options.build();
  }

  /** Those that were given, or else the system's. */
  final ProxySelector chosenProxies() {
    return proxies == null ? Proxies.fromSystem() : proxies;
  }

  /**
   * Through which proxies calls go. Unless this is given, they go as the JDK's system properties
   * and the environment say when the client is built ({@link Proxies#fromSystem}), as those of the
   * SDK's own clients do; {@code origin -> List.of()} stands for none.
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

  /** How many calls may be under way at the same time; for an asynchronous client, to one host. */
  public final B maxConcurrency(int calls) {
    return option(SdkHttpConfigurationOption.MAX_CONNECTIONS, calls);
  }

  /** The same as {@link #maxConcurrency}, as the SDK's blocking clients call it. */
  public final B maxConnections(int connections) {
    return maxConcurrency(connections);
  }

  /** How many calls may wait for a connection to one host. */
  public final B maxPendingConnectionAcquires(int calls) {
    return option(SdkHttpConfigurationOption.MAX_PENDING_CONNECTION_ACQUIRES, calls);
  }

  /** How long the server may be silent while its response is awaited or read. */
  public final B readTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.READ_TIMEOUT, timeout);
  }

  /** The same as {@link #readTimeout}, as the SDK's blocking clients call it. */
  public final B socketTimeout(Duration timeout) {
    return readTimeout(timeout);
  }

  /** How long the server may take nothing of a request's content that is sent from a stream. */
  public final B writeTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.WRITE_TIMEOUT, timeout);
  }

  /** How long opening a connection may take, for all addresses of a host together. */
  public final B connectionTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.CONNECTION_TIMEOUT, timeout);
  }

  /** How long a call may wait for a connection. */
  public final B connectionAcquisitionTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT, timeout);
  }

  /** How long a connection that nobody uses is kept. */
  public final B connectionMaxIdleTime(Duration time) {
    return option(SdkHttpConfigurationOption.CONNECTION_MAX_IDLE_TIMEOUT, time);
  }

  /** How long a connection takes new calls. */
  public final B connectionTimeToLive(Duration time) {
    return option(SdkHttpConfigurationOption.CONNECTION_TIME_TO_LIVE, time);
  }

  /** Whether idle connections are closed after {@link #connectionMaxIdleTime}. */
  public final B useIdleConnectionReaper(boolean whether) {
    return option(SdkHttpConfigurationOption.REAP_IDLE_CONNECTIONS, whether);
  }

  /** How long the TLS handshake may take. */
  public final B tlsNegotiationTimeout(Duration timeout) {
    return option(SdkHttpConfigurationOption.TLS_NEGOTIATION_TIMEOUT, timeout);
  }

  /** Who to be where a server asks for a certificate. */
  public final B tlsKeyManagersProvider(TlsKeyManagersProvider provider) {
    return option(SdkHttpConfigurationOption.TLS_KEY_MANAGERS_PROVIDER, provider);
  }

  /** Whom to trust, instead of those whom the JDK trusts. */
  public final B tlsTrustManagersProvider(TlsTrustManagersProvider provider) {
    return option(SdkHttpConfigurationOption.TLS_TRUST_MANAGERS_PROVIDER, provider);
  }

  /** The version of HTTP. */
  public final B protocol(Protocol protocol) {
    return option(SdkHttpConfigurationOption.PROTOCOL, protocol);
  }

  /** Whether the version is assumed, or HTTP/2 preferred and HTTP/1.1 accepted (ALPN). */
  public final B protocolNegotiation(ProtocolNegotiation negotiation) {
    return option(SdkHttpConfigurationOption.PROTOCOL_NEGOTIATION, negotiation);
  }

  /** Whether the system probes connections on which nothing is sent. */
  public final B tcpKeepAlive(boolean whether) {
    return option(SdkHttpConfigurationOption.TCP_KEEPALIVE, whether);
  }
}
