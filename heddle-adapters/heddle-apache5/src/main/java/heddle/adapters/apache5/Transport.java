package heddle.adapters.apache5;

import heddle.client.HttpClient;
import heddle.client.settings.NameCacheLimits;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import heddle.http.HttpVersion;
import heddle.transport.names.Resolver;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The Heddle clients that make a manager's calls: one per set of {@link Settings}, made when first
 * needed. They neither follow redirects, keep cookies nor repeat requests; Apache does that.
 * Thread-safe.
 */
final class Transport {
  /** The maximum number of clients. More suggest that settings are computed per call. */
  private static final int MOST_CLIENTS = 64;

  /** Shared connections per route: another is opened when all streams are in use. */
  private static final int MOST_SHARED = PoolLimits.DEFAULTS.maxHttp2PerRoute();

  /** Waiting calls are not limited here, as the leases already limit calls. */
  private static final int ALL = 1_000_000;

  /** The default of Apache's executor. */
  private static final Duration WAIT_FOR_CONTINUE =
      HttpRequestExecutor.DEFAULT_WAIT_FOR_CONTINUE.toDuration();

  private final @Nullable DnsResolver names;
  private final @Nullable SSLContext context;
  private final @Nullable TlsOptions tls;
  private final ReentrantLock lock = new ReentrantLock();

  /** Replaced by another map, never changed; written under the lock. */
  private volatile Map<Settings, HttpClient> clients = Map.of();

  // Guarded by the lock.
  private int maxTotal;
  private boolean closed;

  /**
   * @param names looks host names up; null for the system's name service
   * @param context for TLS; null to use {@code tls}
   * @param tls trust and client keys; null for Heddle's defaults
   */
  Transport(
      @Nullable DnsResolver names,
      @Nullable SSLContext context,
      @Nullable TlsOptions tls,
      int maxTotal) {
    this.names = names;
    this.context = context;
    this.tls = tls;
    this.maxTotal = maxTotal;
  }

  /**
   * @throws IllegalArgumentException if the manager has TLS options, which set the same
   */
  void requireOneSourceOfTls(TlsConfig config) {
    boolean others =
        config.getSupportedProtocols() != null || config.getSupportedCipherSuites() != null;
    if (tls != null && others) {
      throw new IllegalArgumentException(HeddleConnectionManagerBuilder.TWO_SOURCES_OF_TLS);
    }
  }

  /**
   * Returns the client for calls with these settings.
   *
   * @throws IOException if there are too many different ones
   * @throws IllegalStateException if this is closed
   */
  HttpClient client(Settings settings) throws IOException {
    HttpClient known = clients.get(settings);
    return known == null ? make(settings) : known;
  }

  private HttpClient make(Settings settings) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("Connection pool shut down");
      }
      HttpClient known = clients.get(settings);
      if (known != null) {
        return known;
      }
      if (clients.size() >= MOST_CLIENTS) {
        throw new IOException("more than " + MOST_CLIENTS + " different sets of timeouts and other"
            + " connection settings were requested, and each has its own connections:"
            + " use fewer");
      }
      HttpClient made = build(settings, maxTotal);
      Map<Settings, HttpClient> more = new HashMap<>(clients);
      more.put(settings, made);
      clients = more;
      return made;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns a client for the calls of one lease, which opens one connection at a time. The caller
   * closes it.
   *
   * @throws IllegalStateException if this is closed
   */
  HttpClient ownClient(Settings settings) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("Connection pool shut down");
      }
      return build(settings, 1);
    } finally {
      lock.unlock();
    }
  }

  private HttpClient build(Settings settings, int connections) {
    HttpClient.Builder builder = HttpClient.builder()
        .retries(RetryPolicy.never())
        .poolLimits(limits(settings, connections))
        .timeouts(Timeouts.builder()
            .call(Settings.NO_LIMIT)
            .connect(settings.connect())
            .tls(settings.tls())
            .expectContinue(WAIT_FOR_CONTINUE)
            .silence(settings.silence())
            .close(Settings.NO_LIMIT)
            .build());
    HttpVersion version = settings.version();
    if (version != null) {
      builder.version(version);
    }
    DnsResolver given = names;
    if (given != null) {
      // No cache: Apache also asks it for each connection.
      builder.resolver(resolver(given)).nameCache(askingEachTime());
    }
    TlsOptions options = tlsOptions(settings);
    if (options != null) {
      builder.tls(options);
    }
    if (settings.proxy() != null) {
      builder.proxy(settings.proxy()).authenticator(Tunnel.AUTHENTICATOR);
    }
    if (settings.keepAlive()) {
      builder.tcpKeepAlive();
    }
    return builder.build();
  }

  /** The leases limit calls; these limit idle connections. */
  private PoolLimits limits(Settings settings, int connections) {
    Duration age = settings.age();
    Duration idle = settings.idle();
    PoolLimits.Builder limits = PoolLimits.builder()
        .maxTotal(connections)
        .maxPerRoute(connections)
        .maxHttp2PerRoute(Math.min(MOST_SHARED, connections))
        .maxInFlightPerRoute(ALL)
        .maxQueuedPerRoute(ALL)
        .acquireTimeout(Settings.NO_LIMIT);
    if (age != null) {
      limits.maxAge(age).ageJitter(0);
    }
    if (idle != null) {
      limits.idleTimeout(age != null && age.compareTo(idle) < 0 ? age : idle);
    }
    return limits.build();
  }

  private static NameCacheLimits askingEachTime() {
    return NameCacheLimits.builder()
        .minTtl(Duration.ZERO)
        .defaultTtl(Duration.ZERO)
        .negativeTtl(Duration.ZERO)
        .build();
  }

  private static Resolver resolver(DnsResolver names) {
    return (host, deadline) -> {
      InetAddress[] found = names.resolve(host);
      if (found == null || found.length == 0) {
        throw new UnknownHostException(host + ": the DnsResolver knows no address");
      }
      return List.of(found);
    };
  }

  private @Nullable TlsOptions tlsOptions(Settings settings) {
    if (tls != null
        || (context == null
            && settings.protocols().isEmpty()
            && settings.cipherSuites().isEmpty())) {
      return tls;
    }
    TlsOptions.Builder options = TlsOptions.builder();
    if (context != null) {
      options.context(context).hostNamesByTrustManagers().allowShortRsaKeys();
    }
    if (!settings.protocols().isEmpty()) {
      options.protocols(settings.protocols().toArray(String[]::new));
    }
    if (!settings.cipherSuites().isEmpty()) {
      options.cipherSuites(settings.cipherSuites().toArray(String[]::new));
    }
    return options.build();
  }

  /**
   * Sets the limit of connections, including idle ones. Clients made with another limit are closed
   * when their calls have ended.
   */
  void setMaxTotal(int limit) {
    Map<Settings, HttpClient> retired;
    lock.lock();
    try {
      retired = maxTotal == limit ? Map.of() : clients;
      maxTotal = limit;
      clients = clients == retired ? Map.of() : clients;
    } finally {
      lock.unlock();
    }
    for (HttpClient client : retired.values()) {
      Thread.ofVirtual().name("heddle-apache5-retire").start(client::close);
    }
  }

  /** Closes the connections that have been idle for this long. */
  void closeIdle(Duration unused) {
    for (HttpClient client : clients.values()) {
      client.closeIdle(unused);
    }
  }

  /** Refuses further calls, and closes all connections when running calls have ended. */
  void close() {
    List<HttpClient> all;
    lock.lock();
    try {
      closed = true;
      all = new ArrayList<>(clients.values());
      clients = Map.of();
    } finally {
      lock.unlock();
    }
    all.forEach(HttpClient::close);
  }
}
