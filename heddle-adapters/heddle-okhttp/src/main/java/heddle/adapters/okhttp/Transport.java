package heddle.adapters.okhttp;

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
import java.net.Proxy;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.X509KeyManager;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * The Heddle clients that make the calls of an {@link OkHttpClient}: one, and another per set of
 * timeouts that interceptors set for calls. Thread-safe.
 */
final class Transport implements AutoCloseable {
  /** Stands for OkHttp's zero: no limit. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  /** OkHttp's own limit. */
  private static final int MOST_HEAD_BYTES = 256 * 1024;

  /** The maximum number of sets of timeouts. More suggest that they are computed per call. */
  private static final int MOST_TIMINGS = 16;

  /**
   * The maximum number of remembered proxies, as a selector may return ever new ones. All are
   * forgotten beyond.
   */
  private static final int MOST_PROXIES = 1000;

  /**
   * OkHttp only limits the calls of its dispatcher. These are limits of the machine: a caller that
   * reaches them waits.
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

  /**
   * Whether the Heddle client was given: its timeouts cannot be changed, and it is not closed here.
   */
  private final boolean given;

  private final @Nullable X509KeyManager key;

  private final Map<Timings, HttpClient> others = new ConcurrentHashMap<>();

  /** The last server passed to a selector: most calls go to the same server as the previous one. */
  private volatile @Nullable Server last;

  /** Proxies that failed when they were last tried. */
  private final Set<Proxy> failed = ConcurrentHashMap.newKeySet();

  /** Heddle's proxies, with their credentials. */
  private final Map<Proxy, heddle.client.spi.Proxy> identified = new ConcurrentHashMap<>();

  /** A server, and the URI that selectors get for it. */
  private record Server(HttpUrl url, URI uri) {}

  /**
   * What distinguishes the clients.
   *
   * @param connect timeout in milliseconds; 0 for none
   * @param read the same
   * @param direct whether connections go through no proxy
   */
  private record Timings(int connect, int read, boolean direct) {}

  private Transport(
      OkHttpClient settings, @Nullable HttpClient client, @Nullable X509KeyManager key) {
    this.settings = settings;
    this.key = key;
    this.usual = new Timings(settings.connectTimeoutMillis(), settings.readTimeoutMillis(), true);
    this.given = client != null;
    this.standard = client == null ? make(usual) : client;
  }

  /**
   * Creates a transport with its own client for these settings.
   *
   * @param key for TLS client authentication; null for none
   * @throws IllegalArgumentException if one of them cannot be honoured
   */
  static Transport of(OkHttpClient settings, @Nullable X509KeyManager key) {
    Settings.requireHonourable(settings);
    return new Transport(settings, null, key);
  }

  /**
   * Creates a transport over a given client, which its owner must close.
   *
   * @throws IllegalArgumentException if a setting cannot be honoured
   */
  static Transport over(OkHttpClient settings, HttpClient client) {
    Settings.requireUnset(settings);
    return new Transport(settings, client, null);
  }

  OkHttpClient settings() {
    return settings;
  }

  /** Whether requests go through a given client, whose steps are unknown. */
  boolean isGiven() {
    return given;
  }

  /**
   * @throws IOException if an interceptor has changed a setting that cannot be changed per call
   */
  void checkUnchanged(Interceptor.Chain chain) throws IOException {
    requireSame(Settings.changed(chain, settings));
    requireSame(given ? Settings.changedWay(chain, settings) : null);
  }

  /** The routes for a request, with routes over failed proxies last. */
  List<Way> ways(Interceptor.Chain chain, HttpUrl url) {
    if (given) {
      return List.of(Way.direct(url));
    }
    List<Way> ways = Way.of(chain, url, this::uriOf);
    if (failed.isEmpty() || ways.size() == 1) {
      return ways;
    }
    List<Way> ordered = new ArrayList<>(ways);
    ordered.sort(Comparator.comparing(way -> failed.contains(way.proxy())));
    return ordered;
  }

  private URI uriOf(HttpUrl url) {
    Server known = last;
    if (known == null || !FollowUps.isSameOrigin(known.url(), url)) {
      HttpUrl server = Way.server(url);
      known = new Server(server, server.uri());
      last = known;
    }
    return known.uri();
  }

  /** Whether requests for a URL go through a tunnel of an HTTP proxy. */
  boolean tunnels(HttpUrl url) {
    return url.isHttps() || settings.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE);
  }

  /** Called when a route has worked. */
  void gone(Way way) {
    if (!failed.isEmpty()) {
      failed.remove(way.proxy());
    }
  }

  /**
   * Called when a route has failed. The credentials for its proxy are requested again.
   *
   * @param others whether there are other routes, which are then tried first next time
   */
  void notGone(Way way, boolean others) {
    identified.remove(way.proxy());
    if (others) {
      if (failed.size() >= MOST_PROXIES) {
        failed.clear();
      }
      failed.add(way.proxy());
    }
  }

  /**
   * The proxy of a route, with its credentials.
   *
   * @throws IOException if the credentials cannot be sent
   */
  heddle.client.spi.Proxy proxy(Way way) throws IOException {
    heddle.client.spi.Proxy known = identified.get(way.proxy());
    if (known == null) {
      known = way.identified();
      if (identified.size() >= MOST_PROXIES) {
        identified.clear();
      }
      identified.put(way.proxy(), known);
    }
    return known;
  }

  /**
   * Returns the client for a request.
   *
   * @throws IOException if its timeouts cannot be honoured
   */
  HttpClient clientFor(Interceptor.Chain chain, Way way) throws IOException {
    int connect = chain.connectTimeoutMillis();
    int read = chain.readTimeoutMillis();
    boolean isUsual = way.isDirect() && connect == usual.connect() && read == usual.read();
    return isUsual ? standard : other(new Timings(connect, read, way.isDirect()));
  }

  /**
   * @throws IOException if this client has connection settings other than those in use
   */
  void checkSettings(OkHttpClient client) throws IOException {
    requireSame(Settings.differing(client, settings));
  }

  private static void requireSame(@Nullable String changed) throws IOException {
    if (changed != null) {
      throw new IOException("an interceptor, or the OkHttpClient of this call, "
          + "has another " + changed + " than the OkHttpClient of this HeddleInterceptor:"
          + " make the interceptor for a client with this setting");
    }
  }

  private HttpClient other(Timings timings) throws IOException {
    if (given) {
      throw new IOException("an interceptor sets a connect timeout of " + timings.connect()
          + " ms and a read timeout of " + timings.read()
          + " ms, but the Timeouts of the given HttpClient decide that");
    }
    HttpClient known = others.get(timings);
    if (known != null) {
      return known;
    }
    if (others.size() >= 2 * MOST_TIMINGS) {
      throw new IOException("interceptors have set more than " + MOST_TIMINGS
          + " different sets of timeouts, and each has its own connections: use fewer");
    }
    return others.computeIfAbsent(timings, this::make);
  }

  private HttpClient make(Timings timings) {
    Duration read = duration(timings.read());
    HttpClient.Builder builder = HttpClient.builder()
        .poolLimits(LIMITS)
        .addresses(OtherAddresses.POLICY)
        .maxResponseHead(MOST_HEAD_BYTES, MOST_HEAD_BYTES)
        .timeouts(Timeouts.builder()
            .connect(duration(timings.connect()))
            .tls(read)
            .silence(read)
            .build());
    if (!settings.retryOnConnectionFailure()) {
      builder.retries(RetryPolicy.never());
    }
    if (settings.dns() != Dns.SYSTEM) {
      // No cache: OkHttp also asks it for each connection.
      builder.resolver(resolver(settings.dns())).nameCache(askingEachTime());
    }
    if (!timings.direct()) {
      builder.proxies(_ -> Way.chosen()).authenticator(Tunnel.AUTHENTICATOR);
    }
    HttpVersion version = version(settings.protocols());
    if (version != null) {
      builder.version(version);
    }
    TlsOptions tls = Tls.options(settings, key);
    if (tls != null) {
      builder.tls(tls);
    }
    return builder.build();
  }

  private static Duration duration(int millis) {
    return millis == 0 ? FOREVER : Duration.ofMillis(millis);
  }

  private static NameCacheLimits askingEachTime() {
    return NameCacheLimits.builder()
        .minTtl(Duration.ZERO)
        .defaultTtl(Duration.ZERO)
        .negativeTtl(Duration.ZERO)
        .build();
  }

  private static Resolver resolver(Dns dns) {
    return (host, deadline) -> {
      if (Way.isLiteral(host)) {
        return List.of(InetAddress.ofLiteral(host));
      }
      List<InetAddress> found;
      try {
        found = dns.lookup(host);
      } catch (RuntimeException | Error e) {
        throw new Failures.Thrown(e);
      }
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

  /** Closes the clients that were made here, not a given one. */
  @Override
  public void close() {
    if (!given) {
      standard.close();
    }
    others.values().forEach(HttpClient::close);
  }
}
