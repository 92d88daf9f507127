package heddle.adapters.support.lease;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.settings.NameCacheLimits;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The Heddle clients that make a manager's calls: one per set of settings, made when first needed.
 * Thread-safe.
 *
 * @param <S> settings, with {@code equals}
 */
public final class LeaseClients<S> {
  /** The maximum number of clients. More suggest that settings are computed per call. */
  private static final int MOST_CLIENTS = 64;

  /** Shared connections per route: another is opened when all streams are in use. */
  private static final int MOST_SHARED = PoolLimits.DEFAULTS.maxHttp2PerRoute();

  /** Waiting calls are not limited here, as the leases already limit calls. */
  private static final int ALL = 1_000_000;

  /** The default of Apache's executors. */
  private static final Duration WAIT_FOR_CONTINUE = Duration.ofSeconds(3);

  private final Factory<S> factory;
  private final ReentrantLock lock = new ReentrantLock();

  /** Replaced by another map, never changed; written under the lock. */
  private volatile Map<S, HttpClient> clients = Map.of();

  /** The client that was asked for last, which the next call usually needs. */
  private volatile @Nullable Made<S> last;

  // Guarded by the lock.
  private int maxTotal;
  private boolean closed;

  /** A client of this map with its settings, which identify it without being hashed. */
  private record Made<S>(Map<S, HttpClient> map, S settings, HttpClient client) {}

  /**
   * Makes clients.
   *
   * @param <S> settings
   */
  @FunctionalInterface
  public interface Factory<S> {
    /** Makes a client that opens at most this many connections. */
    HttpClient make(S settings, int connections);
  }

  /**
   * The times of a client.
   *
   * @param connect timeout for opening a connection
   * @param tls timeout of the TLS handshake
   * @param silence how long the server may send nothing
   * @param idle how long an idle connection is kept; null for Heddle's default
   * @param age how long a connection takes new calls; null for Heddle's default
   */
  public record Times(
      Duration connect,
      Duration tls,
      Duration silence,
      @Nullable Duration idle,
      @Nullable Duration age) {
    /** With another connect timeout, which the handshake also gets if it had the same before. */
    public Times withConnect(Duration timeout) {
      Duration handshake = tls.equals(connect) ? timeout : tls;
      return timeout.equals(connect) ? this : new Times(timeout, handshake, silence, idle, age);
    }

    /** With another limit of silence. */
    public Times withSilence(Duration timeout) {
      return timeout.equals(silence) ? this : new Times(connect, tls, timeout, idle, age);
    }
  }

  /** Converts a timeout of Apache's, where zero and negative values mean no limit. */
  public static Duration limit(Duration given) {
    return given.isPositive() && given.compareTo(Clients.FOREVER) < 0 ? given : Clients.FOREVER;
  }

  /** Creates an empty set of clients that open at most this many connections each. */
  public LeaseClients(int maxTotal, Factory<S> factory) {
    this.maxTotal = maxTotal;
    this.factory = factory;
  }

  /**
   * Returns a builder of clients that neither follow redirects, keep cookies nor repeat requests,
   * which the library above does, and that leave limits of calls to the leases.
   */
  public static HttpClient.Builder builder(Times times, int connections) {
    return Clients.plain()
        .retries(RetryPolicy.never())
        .poolLimits(limits(times, connections))
        .timeouts(Timeouts.builder()
            .call(Clients.FOREVER)
            .connect(times.connect)
            .tls(times.tls)
            .expectContinue(WAIT_FOR_CONTINUE)
            .silence(times.silence)
            .close(Clients.FOREVER)
            .build());
  }

  /** The leases limit calls; these limit idle connections. */
  private static PoolLimits limits(Times times, int connections) {
    Duration age = times.age;
    Duration idle = times.idle;
    PoolLimits.Builder limits = PoolLimits.builder()
        .maxTotal(connections)
        .maxPerRoute(connections)
        .maxHttp2PerRoute(Math.min(MOST_SHARED, connections))
        .maxInFlightPerRoute(ALL)
        .maxQueuedPerRoute(ALL)
        .acquireTimeout(Clients.FOREVER);
    if (age != null) {
      limits.maxAge(age).ageJitter(0);
    }
    if (idle != null) {
      limits.idleTimeout(age != null && age.compareTo(idle) < 0 ? age : idle);
    }
    return limits.build();
  }

  /** Looks host names up, as Apache's {@code DnsResolver} does. */
  @FunctionalInterface
  public interface Names {
    /** Returns the addresses of a host; null or empty if there are none. */
    InetAddress @Nullable [] resolve(String host) throws IOException;
  }

  /** Makes clients ask for the addresses of a host for each connection, as Apache does. */
  public static void resolve(HttpClient.Builder builder, Names names) {
    builder
        .resolver((host, deadline) -> {
          InetAddress[] found = names.resolve(host);
          if (found == null || found.length == 0) {
            throw new UnknownHostException(host + ": the DnsResolver knows no address");
          }
          return List.of(found);
        })
        .nameCache(NameCacheLimits.builder()
            .minTtl(Duration.ZERO)
            .defaultTtl(Duration.ZERO)
            .negativeTtl(Duration.ZERO)
            .build());
  }

  /**
   * Returns the client for calls with these settings.
   *
   * @throws IOException if there are too many different ones
   * @throws IllegalStateException if this is closed
   */
  public HttpClient client(S settings) throws IOException {
    Map<S, HttpClient> now = clients;
    Made<S> same = last;
    if (same != null && same.settings == settings && same.map == now) {
      return same.client;
    }
    HttpClient known = now.get(settings);
    if (known == null) {
      return make(settings);
    }
    last = new Made<>(now, settings, known);
    return known;
  }

  private HttpClient make(S settings) throws IOException {
    lock.lock();
    try {
      requireOpen();
      HttpClient known = clients.get(settings);
      if (known != null) {
        return known;
      }
      if (clients.size() >= MOST_CLIENTS) {
        throw new IOException("more than " + MOST_CLIENTS + " different sets of timeouts and other"
            + " connection settings were requested, and each has its own connections:"
            + " use fewer");
      }
      HttpClient made = factory.make(settings, maxTotal);
      Map<S, HttpClient> more = new HashMap<>(clients);
      more.put(settings, made);
      clients = more;
      return made;
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("Connection pool shut down");
    }
  }

  /**
   * Returns a client for the calls of one lease, which opens one connection at a time. The caller
   * closes it.
   *
   * @throws IllegalStateException if this is closed
   */
  HttpClient ownClient(S settings) {
    lock.lock();
    try {
      requireOpen();
      return factory.make(settings, 1);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets the limit of connections, including idle ones. Clients made with another limit are closed
   * when their calls have ended.
   */
  public void setMaxTotal(int limit) {
    Map<S, HttpClient> retired;
    lock.lock();
    try {
      retired = maxTotal == limit ? Map.of() : clients;
      maxTotal = limit;
      clients = clients == retired ? Map.of() : clients;
    } finally {
      lock.unlock();
    }
    for (HttpClient client : retired.values()) {
      Thread.ofVirtual().name("heddle-retire").start(client::close);
    }
  }

  /** Closes the connections that have been idle for this long. */
  public void closeIdle(Duration unused) {
    for (HttpClient client : clients.values()) {
      client.closeIdle(unused);
    }
  }

  /** Refuses further calls, and closes all connections when running calls have ended. */
  public void close() {
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
