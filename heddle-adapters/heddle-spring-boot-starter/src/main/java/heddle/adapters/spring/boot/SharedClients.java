package heddle.adapters.spring.boot;

import heddle.adapters.spring.HeddleClientHttpRequestFactory.Options;
import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.cookies.Rfc6265CookieStore;
import heddle.transport.tls.TlsOptions;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpCookieHandling;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.util.ClassUtils;

/**
 * The clients of a context, one for each set of settings. Applications may build any number of
 * {@code RestTemplate}s, so a client is kept only while a factory uses it. Thread-safe.
 */
final class SharedClients implements DisposableBean {
  private static final boolean IS_4_1 = ClassUtils.isPresent(
      "org.springframework.boot.http.client.HttpCookieHandling",
      SharedClients.class.getClassLoader());

  private final @Nullable ClientMeters meters;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Map<Object, WeakReference<HttpClient>> clients = new HashMap<>();
  private final Map<SslBundle, TlsOptions> contexts = new WeakHashMap<>();
  private boolean closed;

  private record Key(
      Options options, HttpClientSettings settings, Consumer<HttpClient.Builder> customizer) {}

  /** What Boot 4.0 does not have; in a separate class, which is not loaded there. */
  private static final class Since41 {
    static boolean keepsCookies(HttpClientSettings settings) {
      HttpCookieHandling handling = settings.cookieHandling();
      return handling != null && handling != HttpCookieHandling.DISABLE;
    }

    static void filter(HttpClientSettings settings, HttpClient.Builder builder) {
      var filter = settings.inetAddressFilter();
      if (filter != null) {
        builder.addresses((host, address) -> filter.matches(address));
      }
    }
  }

  SharedClients(@Nullable ClientMeters meters) {
    this.meters = meters;
  }

  /** Returns the TLS settings of a bundle, which clients with it share. */
  TlsOptions tls(SslBundle bundle) {
    lock.lock();
    try {
      return contexts.computeIfAbsent(bundle, SharedClients::made);
    } finally {
      lock.unlock();
    }
  }

  private static TlsOptions made(SslBundle bundle) {
    TlsOptions.Builder tls = Clients.tls(bundle.createSslContext());
    SslOptions options = bundle.getOptions();
    if (options.getCiphers() != null) {
      tls.cipherSuites(options.getCiphers());
    }
    if (options.getEnabledProtocols() != null) {
      tls.protocols(options.getEnabledProtocols());
    }
    return tls.build();
  }

  /**
   * Returns the client for these settings.
   *
   * @param tls of the bundle of the settings; null for Heddle's defaults
   * @throws IllegalStateException if the context was closed
   */
  HttpClient client(
      Options options,
      HttpClientSettings settings,
      @Nullable TlsOptions tls,
      Consumer<HttpClient.Builder> customizer) {
    boolean keepsCookies = IS_4_1 && Since41.keepsCookies(settings);
    // Cookies must not get from one factory to another.
    Object key = keepsCookies ? new Object() : new Key(options, settings, customizer);
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the application context was closed");
      }
      WeakReference<HttpClient> kept = clients.get(key);
      HttpClient known = kept == null ? null : kept.get();
      if (known != null) {
        return known;
      }
      HttpClient.Builder builder = options.builder();
      if (tls != null) {
        builder.tls(tls);
      }
      if (keepsCookies) {
        builder.cookies(Rfc6265CookieStore.create());
      }
      if (IS_4_1) {
        Since41.filter(settings, builder);
      }
      if (meters != null) {
        builder.listener(meters);
      }
      customizer.accept(builder);
      HttpClient made = builder.build();
      clients.values().removeIf(each -> each.get() == null);
      clients.put(key, new WeakReference<>(made));
      return made;
    } finally {
      lock.unlock();
    }
  }

  private List<HttpClient> alive() {
    lock.lock();
    try {
      return clients.values().stream()
          .map(WeakReference::get)
          .filter(Objects::nonNull)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** The pools of all clients together. */
  PoolSnapshot pool() {
    List<PoolSnapshot> pools = alive().stream().map(HttpClient::pool).toList();
    List<RouteSnapshot> routes =
        pools.stream().flatMap(each -> each.routes().stream()).toList();
    return new PoolSnapshot(
        pools.stream().mapToInt(PoolSnapshot::open).sum(),
        pools.stream().mapToLong(PoolSnapshot::leaked).sum(),
        PoolLimits.DEFAULTS,
        routes);
  }

  /** Closes all clients at the same time. Idempotent. */
  @Override
  public void destroy() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    try (ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor()) {
      alive().forEach(client -> closing.execute(client::close));
    }
  }
}
