package heddle.adapters.aws;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.client.spi.ProxySelector;
import heddle.http.HttpVersion;
import heddle.http.Status;
import heddle.transport.tls.TlsOptions;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.ProtocolNegotiation;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.TlsKeyManagersProvider;
import software.amazon.awssdk.http.TlsTrustManagersProvider;
import software.amazon.awssdk.utils.AttributeMap;

/** Heddle's settings for the SDK's options. */
final class Settings {
  private static final SdkHttpConfigurationOption<TlsTrustManagersProvider> MANAGERS =
      SdkHttpConfigurationOption.TLS_TRUST_MANAGERS_PROVIDER;
  private static final SdkHttpConfigurationOption<Boolean> EVERYTHING =
      SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES;

  /** An asynchronous client's own limit is per host. This is the limit in total. */
  private static final int MOST_CONNECTIONS_OF_ALL_HOSTS = 10_000;

  /** The options of the SDK that are honoured: all but its internal ones. */
  static final Set<SdkHttpConfigurationOption<?>> HONOURED = Set.of(
      SdkHttpConfigurationOption.READ_TIMEOUT,
      SdkHttpConfigurationOption.WRITE_TIMEOUT,
      SdkHttpConfigurationOption.CONNECTION_TIMEOUT,
      SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT,
      SdkHttpConfigurationOption.CONNECTION_MAX_IDLE_TIMEOUT,
      SdkHttpConfigurationOption.CONNECTION_TIME_TO_LIVE,
      SdkHttpConfigurationOption.MAX_CONNECTIONS,
      SdkHttpConfigurationOption.MAX_PENDING_CONNECTION_ACQUIRES,
      SdkHttpConfigurationOption.PROTOCOL,
      SdkHttpConfigurationOption.PROTOCOL_NEGOTIATION,
      SdkHttpConfigurationOption.REAP_IDLE_CONNECTIONS,
      SdkHttpConfigurationOption.TCP_KEEPALIVE,
      SdkHttpConfigurationOption.TLS_KEY_MANAGERS_PROVIDER,
      SdkHttpConfigurationOption.TLS_TRUST_MANAGERS_PROVIDER,
      SdkHttpConfigurationOption.TLS_NEGOTIATION_TIMEOUT,
      SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES);

  private final AttributeMap options;
  private final boolean blocking;

  /**
   * @param given set by the user; missing options come from the service, then from the SDK
   * @param blocking whether limits apply to all hosts together, and connections are closed after
   *     failures of a server, as with the SDK's blocking clients
   * @throws IllegalArgumentException if the user has set an option that cannot be honoured; the
   *     message names it
   */
  Settings(AttributeMap given, AttributeMap serviceDefaults, boolean blocking) {
    // Newer services add defaults, which clients may ignore: the SDK's own do.
    for (SdkHttpConfigurationOption<?> option : known()) {
      if (given.containsKey(option) && !HONOURED.contains(option)) {
        throw refusal(option, "this version of the adapter does not know it");
      }
    }
    options = given.merge(serviceDefaults).merge(SdkHttpConfigurationOption.GLOBAL_HTTP_DEFAULTS);
    this.blocking = blocking;
  }

  /** All options of this version of the SDK. */
  static List<SdkHttpConfigurationOption<?>> known() {
    List<SdkHttpConfigurationOption<?>> all = new ArrayList<>();
    for (Field field : SdkHttpConfigurationOption.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && field.getType() == SdkHttpConfigurationOption.class) {
        try {
          all.add((SdkHttpConfigurationOption<?>) field.get(null));
        } catch (IllegalAccessException e) {
          throw new IllegalStateException("the SDK's options cannot be read", e);
        }
      }
    }
    return all;
  }

  /** Builds the client, whose calls go through these proxies. */
  HttpClient client(ProxySelector proxies) {
    HttpClient.Builder builder =
        Clients.plain().timeouts(timeouts()).poolLimits(poolLimits()).proxies(proxies);
    HttpVersion version = version();
    if (version != null) {
      builder.version(version);
    }
    TlsOptions tls = tls();
    if (tls != null) {
      builder.tls(tls);
    }
    if (blocking) {
      builder.closeConnectionsAfter(Status::isServerError);
    }
    if (isSet(SdkHttpConfigurationOption.TCP_KEEPALIVE)) {
      builder.tcpKeepAlive();
    }
    return builder.build();
  }

  /** How long a server may accept no bytes of request content; null for no limit. */
  @Nullable
  Duration writeTimeout() {
    Duration timeout = duration(SdkHttpConfigurationOption.WRITE_TIMEOUT);
    return timeout.equals(Clients.FOREVER) ? null : timeout;
  }

  /** The version of all calls; null to negotiate it over TLS. */
  @Nullable
  HttpVersion version() {
    Protocol protocol = options.get(SdkHttpConfigurationOption.PROTOCOL);
    if (protocol != Protocol.HTTP2) {
      return HttpVersion.HTTP_1_1;
    }
    return options.get(SdkHttpConfigurationOption.PROTOCOL_NEGOTIATION) == ProtocolNegotiation.ALPN
        ? null
        : HttpVersion.HTTP_2;
  }

  private Timeouts timeouts() {
    // The SDK limits calls itself: apiCallTimeout and apiCallAttemptTimeout.
    return Timeouts.builder()
        .call(Clients.FOREVER)
        .connect(duration(SdkHttpConfigurationOption.CONNECTION_TIMEOUT))
        .tls(duration(SdkHttpConfigurationOption.TLS_NEGOTIATION_TIMEOUT))
        .silence(duration(SdkHttpConfigurationOption.READ_TIMEOUT))
        .build();
  }

  private PoolLimits poolLimits() {
    int calls = number(SdkHttpConfigurationOption.MAX_CONNECTIONS, 1);
    int total = blocking ? calls : Math.max(calls, MOST_CONNECTIONS_OF_ALL_HOSTS);
    Duration age = duration(SdkHttpConfigurationOption.CONNECTION_TIME_TO_LIVE);
    Duration idle = isSet(SdkHttpConfigurationOption.REAP_IDLE_CONNECTIONS)
        ? duration(SdkHttpConfigurationOption.CONNECTION_MAX_IDLE_TIMEOUT)
        : Clients.FOREVER;
    return PoolLimits.builder()
        .maxTotal(total)
        .maxPerRoute(calls)
        .maxInFlightPerRoute(calls)
        .maxQueuedPerRoute(number(SdkHttpConfigurationOption.MAX_PENDING_CONNECTION_ACQUIRES, 0))
        .acquireTimeout(duration(SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT))
        .idleTimeout(idle.compareTo(age) < 0 ? idle : age)
        .maxAge(age)
        .ageJitter(0)
        .build();
  }

  /**
   * Returns the TLS options, or null for the defaults.
   *
   * @throws IllegalArgumentException if two options contradict each other, or a provider returns
   *     nothing
   */
  private @Nullable TlsOptions tls() {
    TlsTrustManagersProvider some = options.get(MANAGERS);
    boolean everything = Boolean.TRUE.equals(options.get(EVERYTHING));
    if (some != null && everything) {
      throw refusal(
          EVERYTHING, MANAGERS.name() + " also decides which servers to trust: set only one");
    }
    TlsKeyManagersProvider identity =
        options.get(SdkHttpConfigurationOption.TLS_KEY_MANAGERS_PROVIDER);
    KeyManager @Nullable [] keys = identity == null ? null : identity.keyManagers();
    TrustManager @Nullable [] managers = some == null ? null : some.trustManagers();
    if (managers != null && managers.length == 0) {
      throw refusal(MANAGERS, "it provides no trust manager, so no server would be trusted");
    }
    if (managers == null && !everything && keys == null) {
      return null;
    }
    TlsOptions.Builder tls = TlsOptions.builder();
    if (keys != null) {
      tls.keyManagers(keys);
    }
    if (managers != null) {
      tls.trustManagers(managers).hostNamesByTrustManagers().allowShortRsaKeys();
    }
    if (everything) {
      tls.insecureTrustEverything();
    }
    return tls.build();
  }

  private boolean isSet(SdkHttpConfigurationOption<Boolean> option) {
    return Boolean.TRUE.equals(options.get(option));
  }

  private Duration duration(SdkHttpConfigurationOption<Duration> option) {
    Duration value = options.get(option);
    if (value != null && value.isNegative()) {
      throw refusal(option, "it is negative, " + value + "; use zero for no limit");
    }
    return Clients.bounded(value == null ? Duration.ZERO : value, option.name());
  }

  private int number(SdkHttpConfigurationOption<Integer> option, int least) {
    Integer value = options.get(option);
    if (value == null || value < least) {
      throw refusal(option, "it is " + value + "; give " + least + " or more");
    }
    return value;
  }

  /** Returns the exception for an option that cannot be honoured. */
  static IllegalArgumentException refusal(SdkHttpConfigurationOption<?> option, String reason) {
    return new IllegalArgumentException(
        "the option " + option.name() + " cannot be honoured: " + reason);
  }
}
