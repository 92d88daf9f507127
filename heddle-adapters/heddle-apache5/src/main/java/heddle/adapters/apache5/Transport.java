package heddle.adapters.apache5;

import heddle.adapters.support.lease.LeaseClients;
import heddle.adapters.support.lease.LeaseClients.Times;
import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.transport.tls.TlsOptions;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Makes the Heddle clients of a manager, one per set of {@link Settings}. Thread-safe.
 */
final class Transport {
  private final @Nullable DnsResolver names;
  private final @Nullable SSLContext context;
  private final @Nullable TlsOptions tls;
  private final @Nullable TlsStrategy strategy;
  private final LeaseClients<Settings> clients;

  /**
   * @throws IllegalArgumentException if a TLS strategy cannot be honoured
   */
  Transport(ConnectionManagerBuilder<?> told) {
    names = told.names;
    context = told.context;
    tls = told.tls;
    strategy = told.effectiveStrategy();
    clients = new LeaseClients<>(told.maxTotal, this::build);
    if (strategy != null) {
      var _ = StrategyTls.context(strategy, told.tlsConfig);
    }
  }

  /**
   * @throws IllegalArgumentException if the manager has TLS options, which set the same
   */
  void requireOneSourceOfTls(TlsConfig config) {
    if (tls != null) {
      ConnectionManagerBuilder.requireNoOther(config);
    }
  }

  /** The clients, by their settings. */
  LeaseClients<Settings> clients() {
    return clients;
  }

  private HttpClient build(Settings settings, int connections) {
    Times times = new Times(
        settings.connect(), settings.tls(), settings.silence(), settings.idle(), settings.age());
    HttpClient.Builder builder = LeaseClients.builder(times, connections);
    HttpVersion version = settings.version();
    if (version != null) {
      builder.version(version);
    }
    DnsResolver given = names;
    if (given != null) {
      LeaseClients.resolve(builder, given::resolve);
    }
    TlsOptions options = tlsOptions(settings);
    if (options != null) {
      builder.tls(options);
    }
    if (settings.proxy() != null) {
      builder.proxy(settings.proxy()).authenticator(Tunnel.AUTHENTICATOR);
    }
    Settings.KeepAlive probes = settings.keepAlive();
    if (probes != null && probes.idle() != null && probes.interval() != null) {
      builder.tcpKeepAlive(probes.idle(), probes.interval());
    } else if (probes != null) {
      builder.tcpKeepAlive();
    }
    return builder.build();
  }

  private @Nullable TlsOptions tlsOptions(Settings settings) {
    if (tls != null
        || (context == null
            && strategy == null
            && settings.protocols().isEmpty()
            && settings.cipherSuites().isEmpty())) {
      return tls;
    }
    TlsOptions.Builder options = TlsOptions.builder();
    SSLContext given =
        strategy == null ? context : StrategyTls.context(strategy, settings.tlsConfig());
    if (given != null) {
      options.context(given).hostNamesByTrustManagers().allowShortRsaKeys();
    }
    if (!settings.protocols().isEmpty()) {
      options.protocols(settings.protocols().toArray(String[]::new));
    }
    if (!settings.cipherSuites().isEmpty()) {
      options.cipherSuites(settings.cipherSuites().toArray(String[]::new));
    }
    return options.build();
  }
}
