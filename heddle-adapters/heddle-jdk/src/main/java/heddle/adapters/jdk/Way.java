package heddle.adapters.jdk;

import heddle.client.HttpClient;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Proxy;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Through which proxy the requests of a call go: the first that the selector names for the URI of
 * the first request, if it speaks HTTP. Used by one thread.
 */
final class Way {
  /** For the selector of Heddle's client, which sees no more of a URI than its origin. */
  private static final ScopedValue<List<Proxy>> CHOSEN = ScopedValue.newInstance();

  private @Nullable Proxy proxy;

  private Way(@Nullable Proxy proxy) {
    this.proxy = proxy;
  }

  /**
   * The way of a call.
   *
   * @param selector null for straight to the origins
   */
  static Way of(@Nullable ProxySelector selector, URI uri) {
    List<java.net.Proxy> named = selector == null ? null : selector.select(uri);
    if (named == null || named.isEmpty()) {
      return new Way(null);
    }
    java.net.Proxy first = named.getFirst();
    return first.type() == java.net.Proxy.Type.HTTP
            && first.address() instanceof InetSocketAddress address
        ? new Way(Proxy.http(address.getHostString(), address.getPort()))
        : new Way(null);
  }

  /** The proxies for the request that the calling thread is sending. */
  static List<Proxy> chosen() {
    return CHOSEN.orElse(List.of());
  }

  /** Null for none. */
  @Nullable
  Proxy proxy() {
    return proxy;
  }

  /** Whether requests for a URI reach the proxy as they are, rather than in a tunnel. */
  boolean forwards(URI uri) {
    return proxy != null && "http".equalsIgnoreCase(uri.getScheme());
  }

  /** Whether requests for a URI go through a tunnel, in which the proxy sees nothing of them. */
  boolean tunnels(URI uri) {
    return proxy != null && !forwards(uri);
  }

  /** The proxy is shown these from now on. */
  void show(Proxy.Credentials credentials) {
    Proxy through = proxy;
    if (through != null) {
      proxy = Proxy.http(through.host(), through.port())
          .withCredentials(credentials.user(), credentials.password())
          .preemptively();
    }
  }

  Response send(HttpClient client, Request request, ExchangeListener listener) throws IOException {
    Proxy through = proxy;
    if (through == null) {
      return client.send(request, listener);
    }
    return ScopedValue.where(CHOSEN, List.of(through)).call(() -> client.send(request, listener));
  }
}
