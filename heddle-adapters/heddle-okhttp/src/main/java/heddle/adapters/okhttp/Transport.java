package heddle.adapters.okhttp;

import heddle.adapters.support.Clients;
import heddle.adapters.support.ClientsByOptions;
import heddle.client.HttpClient;
import heddle.client.settings.NameCacheLimits;
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
  /** OkHttp's own limit. */
  private static final int MOST_HEAD_BYTES = 256 * 1024;

  /**
   * The maximum number of remembered proxies, as a selector may return ever new ones. All are
   * forgotten beyond.
   */
  private static final int MOST_PROXIES = 1000;

  /** How long Heddle keeps idle connections. Longer times of a pool are not honoured. */
  private static final Duration USUAL_KEEP_ALIVE = Clients.LIMITS.idleTimeout();

  private final OkHttpClient settings;
  private final Timings usual;
  private final @Nullable X509KeyManager key;
  private final SocketOptions sockets;

  /** A client that was given: its timeouts cannot be changed, and it is not closed here. */
  private final @Nullable HttpClient given;

  /** The clients that are made here; null if one was given. */
  private final @Nullable ClientsByOptions<Timings> made;

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

  /**
   * Creates a transport.
   *
   * @param given a client, which its owner must close; null to make one for these settings
   * @param key for TLS client authentication; null for none
   * @throws IllegalArgumentException if a setting cannot be honoured
   * @throws IllegalStateException if the OkHttp on the class path is older than 5
   */
  Transport(OkHttpClient settings, @Nullable HttpClient given, @Nullable X509KeyManager key) {
    this.settings = settings;
    this.given = given;
    this.key = key;
    this.sockets = SocketOptions.of(settings.socketFactory());
    this.usual = new Timings(settings.connectTimeoutMillis(), settings.readTimeoutMillis(), true);
    if (given != null) {
      Settings.requireUnset(settings);
      this.made = null;
    } else {
      Settings.requireHonourable(settings);
      this.made = new ClientsByOptions<>(
          "connect and read timeouts that interceptors set", usual, this::make);
    }
  }

  /** Whether requests go through a given client, whose steps are unknown. */
  boolean isGiven() {
    return given != null;
  }

  // ---- the routes

  /** The routes for a request, with routes over failed proxies last. */
  List<Way> ways(Interceptor.Chain chain, HttpUrl url) {
    if (given != null) {
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

  // ---- the clients

  /**
   * Makes a call with the client for a request.
   *
   * @throws IOException if its timeouts cannot be honoured
   */
  heddle.http.Response call(
      Interceptor.Chain chain, Way way, ClientsByOptions.Use<heddle.http.Response> call)
      throws IOException {
    Timings timings =
        new Timings(chain.connectTimeoutMillis(), chain.readTimeoutMillis(), way.isDirect());
    if (made != null) {
      return made.call(timings, call);
    }
    if (given == null || !timings.equals(usual)) {
      throw new IOException("an interceptor sets a connect timeout of " + timings.connect()
          + " ms and a read timeout of " + timings.read()
          + " ms, but the Timeouts of the given HttpClient decide that");
    }
    return call.with(given);
  }

  /**
   * @throws IOException if an interceptor has changed a setting that cannot be changed per call
   */
  void checkUnchanged(Interceptor.Chain chain) throws IOException {
    requireSame(Settings.changed(chain, settings));
    requireSame(given == null ? null : Settings.changedWay(chain, settings));
  }

  /**
   * @param webSocket whether the client is that of a web socket
   * @throws IOException if this client has connection settings other than those in use
   */
  void checkSettings(OkHttpClient client, boolean webSocket) throws IOException {
    requireSame(Settings.differing(client, settings, webSocket));
  }

  private static void requireSame(@Nullable String changed) throws IOException {
    if (changed != null) {
      throw new IOException("an interceptor, or the OkHttpClient of this call, "
          + "has another " + changed + " than the OkHttpClient of this HeddleInterceptor:"
          + " make the interceptor for a client with this setting");
    }
  }

  private HttpClient make(Timings timings) {
    Duration read = Clients.bounded(Duration.ofMillis(timings.read()), "readTimeout");
    HttpClient.Builder builder = Clients.builder(Duration.ZERO, Duration.ZERO)
        .addresses((host, address) -> HeddleExchange.mayReach(address))
        .maxResponseHead(MOST_HEAD_BYTES, MOST_HEAD_BYTES)
        .timeouts(Timeouts.builder()
            .connect(Clients.bounded(Duration.ofMillis(timings.connect()), "connectTimeout"))
            // OkHttp limits each read, and a handshake waits twice for its server (RFC 5246).
            .tls(Clients.bounded(Duration.ofMillis(2L * timings.read()), "readTimeout"))
            .silence(read)
            .build());
    sockets.set(builder);
    Duration keepAlive = Duration.ofNanos(
        settings.connectionPool().getDelegate$okhttp().getKeepAliveDurationNs$okhttp());
    if (keepAlive.compareTo(USUAL_KEEP_ALIVE) < 0) {
      builder.poolLimits(Clients.LIMITS.toBuilder().idleTimeout(keepAlive).build());
    }
    if (!settings.retryOnConnectionFailure()) {
      builder.retries(RetryPolicy.never());
    }
    if (settings.dns() != Dns.SYSTEM) {
      // No cache: OkHttp also asks it for each connection.
      builder
          .resolver(resolver(settings.dns()))
          .nameCache(NameCacheLimits.builder()
              .minTtl(Duration.ZERO)
              .defaultTtl(Duration.ZERO)
              .negativeTtl(Duration.ZERO)
              .build());
    }
    if (!timings.direct()) {
      builder.proxies(origin -> HeddleExchange.chosenProxies()).authenticator(Tunnel.AUTHENTICATOR);
    }
    if (settings.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE)) {
      builder.version(HttpVersion.HTTP_2);
    } else if (!settings.protocols().contains(Protocol.HTTP_2)) {
      builder.version(HttpVersion.HTTP_1_1);
    }
    TlsOptions tls = Tls.options(settings, key);
    if (tls != null) {
      builder.tls(tls);
    }
    return builder.build();
  }

  private static Resolver resolver(Dns dns) {
    return (host, deadline) -> {
      if (Way.isLiteral(host)) {
        return List.of(InetAddress.getByName(host));
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

  /** Closes the clients that were made here, not a given one. */
  @Override
  public void close() {
    if (made != null) {
      made.close();
    }
  }
}
