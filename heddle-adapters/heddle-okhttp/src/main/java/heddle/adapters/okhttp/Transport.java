package heddle.adapters.okhttp;

import heddle.client.HttpClient;
import heddle.client.call.Timeouts;
import heddle.client.pool.PoolLimits;
import heddle.client.spi.RetryPolicy;
import heddle.http.HttpVersion;
import heddle.transport.NameCacheLimits;
import heddle.transport.Resolver;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionSpec;
import okhttp3.Dns;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.TlsVersion;
import org.jspecify.annotations.Nullable;

/**
 * The clients of Heddle's that carry the calls of an {@link OkHttpClient}: one, and another for
 * each set of timeouts that interceptors give their calls. Safe for use by many threads.
 */
final class Transport implements AutoCloseable {
  /** OkHttp's zero: as long as it takes. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  /** Above so many sets of timeouts somebody computes them, and each has its own connections. */
  private static final int MOST_TIMINGS = 16;

  /**
   * OkHttp bounds the calls of its dispatcher and nothing else. The bounds here are those of a
   * machine: a caller who comes up to them waits.
   */
  private static final PoolLimits LIMITS = PoolLimits.builder()
      .maxTotal(10_000)
      .maxPerRoute(5_000)
      .maxQueuedPerRoute(100_000)
      .maxInFlightPerRoute(100_000)
      .build();

  private final OkHttpClient settings;
  private final Timings usual;
  private final HttpClient standard;

  /** Whether the client was given: its timeouts cannot be changed, and it is not ours to close. */
  private final boolean given;

  private final Map<Timings, HttpClient> others = new ConcurrentHashMap<>();

  /** Timeouts in milliseconds; 0 for none. */
  private record Timings(int connect, int read) {}

  private Transport(OkHttpClient settings, @Nullable HttpClient client) {
    this.settings = settings;
    this.usual = new Timings(settings.connectTimeoutMillis(), settings.readTimeoutMillis());
    this.given = client != null;
    this.standard = client == null ? make(usual) : client;
  }

  /**
   * Makes a client for these settings.
   *
   * @throws IllegalArgumentException if one of them cannot be honoured
   */
  static Transport of(OkHttpClient settings) {
    Settings.requireHonourable(settings);
    return new Transport(settings, null);
  }

  /**
   * Uses a client that stays its owner's.
   *
   * @throws IllegalArgumentException if a setting cannot be honoured
   */
  static Transport over(OkHttpClient settings, HttpClient client) {
    Settings.requireUnset(settings);
    return new Transport(settings, client);
  }

  OkHttpClient settings() {
    return settings;
  }

  /**
   * The client for a call.
   *
   * @throws IOException if an interceptor has changed what cannot be changed for one call
   */
  HttpClient clientFor(Interceptor.Chain chain) throws IOException {
    requireSame(Settings.changed(chain, settings));
    int connect = chain.connectTimeoutMillis();
    int read = chain.readTimeoutMillis();
    return connect == usual.connect() && read == usual.read()
        ? standard
        : other(new Timings(connect, read));
  }

  /**
   * @throws IOException if connections would have to be opened with other settings for this client
   */
  void checkSettings(OkHttpClient client) throws IOException {
    requireSame(Settings.differing(client, settings));
  }

  private static void requireSame(@Nullable String changed) throws IOException {
    if (changed != null) {
      throw new IOException("an interceptor, or the client that this one is the interceptor of, "
          + "has another " + changed + " than the OkHttpClient that HeddleInterceptor was made for,"
          + " and connections are opened for that: make the interceptor for a client that has it");
    }
  }

  private HttpClient other(Timings timings) throws IOException {
    if (given) {
      throw new IOException("an interceptor wants to connect within " + timings.connect()
          + " ms and to read within " + timings.read()
          + " ms, but the Timeouts of the HttpClient that was given decide that");
    }
    HttpClient known = others.get(timings);
    if (known != null) {
      return known;
    }
    if (others.size() >= MOST_TIMINGS) {
      throw new IOException("interceptors have asked for more than " + MOST_TIMINGS
          + " different sets of timeouts, each of which has connections of its own: use fewer");
    }
    return others.computeIfAbsent(timings, this::make);
  }

  private HttpClient make(Timings timings) {
    Duration read = duration(timings.read());
    HttpClient.Builder builder = HttpClient.builder()
        .poolLimits(LIMITS)
        .timeouts(Timeouts.DEFAULTS
            .withConnect(duration(timings.connect()))
            .withTls(read)
            .withSilence(read));
    if (!settings.retryOnConnectionFailure()) {
      builder.retries(RetryPolicy.never());
    }
    if (settings.dns() != Dns.SYSTEM) {
      // It is asked each time, as by OkHttp.
      builder.resolver(resolver(settings.dns())).nameCache(askingEachTime());
    }
    HttpVersion version = version(settings.protocols());
    if (version != null) {
      builder.version(version);
    }
    TlsOptions tls = tls();
    if (tls != null) {
      builder.tls(tls);
    }
    return builder.build();
  }

  private static Duration duration(int millis) {
    return millis == 0 ? FOREVER : Duration.ofMillis(millis);
  }

  private static NameCacheLimits askingEachTime() {
    return NameCacheLimits.DEFAULTS
        .withMinTtl(Duration.ZERO)
        .withDefaultTtl(Duration.ZERO)
        .withNegativeTtl(Duration.ZERO);
  }

  private static Resolver resolver(Dns dns) {
    return (host, deadline) -> {
      if (Names.isLiteral(host)) {
        return List.of(InetAddress.ofLiteral(host));
      }
      List<InetAddress> found = dns.lookup(host);
      if (found.isEmpty()) {
        throw new UnknownHostException(dns + " returned no addresses for " + host);
      }
      return found;
    };
  }

  private static @Nullable HttpVersion version(List<Protocol> protocols) {
    if (protocols.contains(Protocol.H2_PRIOR_KNOWLEDGE)) {
      return HttpVersion.HTTP_2;
    }
    return protocols.contains(Protocol.HTTP_2) ? null : HttpVersion.HTTP_1_1;
  }

  private @Nullable TlsOptions tls() {
    X509TrustManager trust = settings.x509TrustManager();
    if (trust == null) {
      return null;
    }
    TlsOptions.Builder options = TlsOptions.builder().context(context(pinned(trust)));
    for (ConnectionSpec spec : settings.connectionSpecs()) {
      // What is modern to OkHttp is what Heddle does by itself.
      if (spec.isTls() && !spec.equals(ConnectionSpec.MODERN_TLS)) {
        apply(spec, options);
      }
    }
    return options.build();
  }

  private static void apply(ConnectionSpec spec, TlsOptions.Builder options) {
    List<TlsVersion> versions = spec.tlsVersions();
    if (versions != null) {
      options.protocols(versions.stream().map(TlsVersion::javaName).toArray(String[]::new));
    }
    if (spec.cipherSuites() != null) {
      options.cipherSuites(Suites.supported(spec.cipherSuites()));
    }
  }

  private X509TrustManager pinned(X509TrustManager trust) {
    return settings.certificatePinner().getPins().isEmpty()
        ? trust
        : new PinningTrustManager((X509ExtendedTrustManager) trust, settings.certificatePinner());
  }

  private static SSLContext context(X509TrustManager trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no TLS: " + e.getMessage(), e);
    }
  }

  /** Closes the clients that were made, not one that was given. */
  @Override
  public void close() {
    if (!given) {
      standard.close();
    }
    others.values().forEach(HttpClient::close);
  }
}
