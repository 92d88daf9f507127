package heddle.adapters.otlp;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.RetryBudget;
import heddle.client.spi.ProxySelector;
import heddle.http.Method;
import heddle.http.Request;
import heddle.transport.tls.TlsOptions;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Converts the settings of an exporter to Heddle's. */
final class SenderSettings {
  /** No limit of Heddle's, because the exporter's policy decides how often a message is sent. */
  private static final RetryBudget ANY = new RetryBudget(1, 1_000_000);

  private SenderSettings() {}

  /**
   * Returns the request of every message, without fields and content.
   *
   * @throws IllegalArgumentException if the endpoint or the timeout cannot be honoured
   */
  static Request target(HttpSenderConfig config) {
    Duration timeout = Clients.bounded(config.getTimeout(), "timeout");
    try {
      return Request.builder(config.getEndpoint())
          .method(Method.POST)
          .deadline(timeout)
          .build();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the endpoint " + withoutSecrets(config.getEndpoint()) + " cannot be honoured: "
              + e.getMessage(),
          e);
    }
  }

  /** Returns an endpoint without user information and query, which may hold a token. */
  private static String withoutSecrets(URI endpoint) {
    String authority = endpoint.getRawAuthority();
    return authority == null
        ? endpoint.getScheme() + ":"
        : endpoint.getScheme() + "://" + authority.substring(authority.lastIndexOf('@') + 1)
            + endpoint.getRawPath();
  }

  /**
   * Builds the client that sends.
   *
   * @throws IllegalArgumentException if a setting cannot be honoured; the message names it
   */
  static HttpClient client(HttpSenderConfig config) {
    // The timeout of the whole limits how long a server may be silent.
    HttpClient.Builder builder = Clients.builder(config.getConnectTimeout(), Duration.ZERO)
        .contentCodings(DecodingLimits.DEFAULTS);
    TlsOptions tls = tls(config);
    if (tls != null) {
      builder.tls(tls);
    }
    ProxyOptions proxy = config.getProxyOptions();
    if (proxy != null) {
      builder.proxies(ProxySelector.of(proxy.getProxySelector()));
    }
    RetryPolicy retries = config.getRetryPolicy();
    if (retries != null) {
      builder.retries(new GivenRetries(retries)).retryBudget(ANY);
    }
    return builder.build();
  }

  /** Returns the TLS options, or null for the default ones. */
  private static @Nullable TlsOptions tls(HttpSenderConfig config) {
    SSLContext context = config.getSslContext();
    X509TrustManager trust = config.getTrustManager();
    List<String> enabled = config.getEnabledProtocols();
    List<String> protocols = enabled == null ? List.of() : enabled;
    if (context == null && trust == null && protocols.isEmpty()) {
      return null;
    }
    // OpenTelemetry's own sender, which is OkHttp, asks for a subjectAltName too (RFC 9525), and
    // leaves key sizes to the JDK.
    TlsOptions.Builder options = TlsOptions.builder();
    if (context != null) {
      // It holds the trust manager too.
      options.context(context).allowShortRsaKeys();
    } else if (trust != null) {
      options.trustManagers(trust).allowShortRsaKeys();
    }
    if (!protocols.isEmpty()) {
      options.protocols(protocols.toArray(String[]::new));
    }
    return options.build();
  }
}
