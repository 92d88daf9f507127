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
 * The clients of Heddle's that carry the calls of an {@link OkHttpClient}: one, and another for
 * each set of timeouts that interceptors give their calls. Safe for use by many threads.
 */
final class Transport implements AutoCloseable {
  /** OkHttp's zero: as long as it takes. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  /** As much as OkHttp takes. */
  private static final int MOST_HEAD_BYTES = 256 * 1024;

  /** Above so many sets of timeouts somebody computes them, and each has its own connections. */
  private static final int MOST_TIMINGS = 16;

  /** Beyond so many all are forgotten: a selector may make up ever new ones. */
  private static final int MOST_PROXIES = 1000;

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

  private final @Nullable X509KeyManager key;

  private final Map<Timings, HttpClient> others = new ConcurrentHashMap<>();

  /** Those whose connections lead through proxies. */
  private final Map<Timings, HttpClient> proxied = new ConcurrentHashMap<>();

  /** The server that a selector was asked for last: most calls go where the one before went. */
  private volatile @Nullable Server last;

  /** Proxies that could not be used when they were last tried. */
  private final Set<Proxy> failed = ConcurrentHashMap.newKeySet();

  /** Proxies as Heddle knows them, with what they are shown. */
  private final Map<Proxy, heddle.client.spi.Proxy> identified = new ConcurrentHashMap<>();

  /** A server, as a selector is told of it. */
  private record Server(HttpUrl url, URI uri) {}

  /** Timeouts in milliseconds; 0 for none. */
  private record Timings(int connect, int read) {}

  private Transport(
      OkHttpClient settings, @Nullable HttpClient client, @Nullable X509KeyManager key) {
    this.settings = settings;
    this.key = key;
    this.usual = new Timings(settings.connectTimeoutMillis(), settings.readTimeoutMillis());
    this.given = client != null;
    this.standard = client == null ? make(usual, false) : client;
  }

  /**
   * Makes a client for these settings.
   *
   * @param key who the client is to servers that ask; null where nobody
   * @throws IllegalArgumentException if one of them cannot be honoured
   */
  static Transport of(OkHttpClient settings, @Nullable X509KeyManager key) {
    Settings.requireHonourable(settings);
    return new Transport(settings, null, key);
  }

  /**
   * Uses a client that stays its owner's.
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

  /** Whether requests go through a client that was given, with steps that are not known here. */
  boolean isGiven() {
    return given;
  }

  /**
   * @throws IOException if an interceptor has changed what cannot be changed for one call
   */
  void checkUnchanged(Interceptor.Chain chain) throws IOException {
    requireSame(Settings.changed(chain, settings));
    requireSame(given ? Settings.changedWay(chain, settings) : null);
  }

  /** The ways for a request, those that could be gone before the others. */
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

  /** Whether an HTTP proxy on the way to a URL is asked for a tunnel. */
  boolean tunnels(HttpUrl url) {
    return url.isHttps() || settings.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE);
  }

  /** A request has gone this way. */
  void gone(Way way) {
    if (!failed.isEmpty()) {
      failed.remove(way.proxy());
    }
  }

  /**
   * This way could not be gone: what its proxy is shown is asked for anew.
   *
   * @param others whether there are others, which are tried before it the next time
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
   * The proxy of a way, with what it is shown.
   *
   * @throws IOException if it cannot be shown that
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
   * The client for a request.
   *
   * @throws IOException if its timeouts cannot be had
   */
  HttpClient clientFor(Interceptor.Chain chain, Way way) throws IOException {
    int connect = chain.connectTimeoutMillis();
    int read = chain.readTimeoutMillis();
    boolean isUsual = connect == usual.connect() && read == usual.read();
    return isUsual && way.isDirect() ? standard : other(new Timings(connect, read), way);
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

  private HttpClient other(Timings timings, Way way) throws IOException {
    if (given) {
      throw new IOException("an interceptor wants to connect within " + timings.connect()
          + " ms and to read within " + timings.read()
          + " ms, but the Timeouts of the HttpClient that was given decide that");
    }
    Map<Timings, HttpClient> clients = way.isDirect() ? others : proxied;
    HttpClient known = clients.get(timings);
    if (known != null) {
      return known;
    }
    if (clients.size() >= MOST_TIMINGS) {
      throw new IOException("interceptors have asked for more than " + MOST_TIMINGS
          + " different sets of timeouts, each of which has connections of its own: use fewer");
    }
    return clients.computeIfAbsent(timings, each -> make(each, !way.isDirect()));
  }

  private HttpClient make(Timings timings, boolean throughProxies) {
    Duration read = duration(timings.read());
    HttpClient.Builder builder = HttpClient.builder()
        .poolLimits(LIMITS)
        .maxResponseHead(MOST_HEAD_BYTES, MOST_HEAD_BYTES)
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
    if (throughProxies) {
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

  /** Closes the clients that were made, not one that was given. */
  @Override
  public void close() {
    if (!given) {
      standard.close();
    }
    others.values().forEach(HttpClient::close);
    proxied.values().forEach(HttpClient::close);
  }
}
