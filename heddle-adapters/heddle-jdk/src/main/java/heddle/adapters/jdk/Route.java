package heddle.adapters.jdk;

import heddle.adapters.support.CallLocal;
import heddle.client.HttpCall;
import heddle.client.spi.Proxy;
import heddle.http.Response;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxy for the requests of a call: the first one that the selector returns for the URI of the
 * first request, if it is an HTTP proxy. Used by one thread.
 */
final class Route {
  /** Read by the selector of Heddle's client, which only gets an origin. */
  private static final CallLocal<Proxy> CHOSEN = new CallLocal<>();

  private @Nullable Proxy proxy;
  private final boolean tunnelsAll;

  private Route(@Nullable Proxy proxy, boolean tunnelsAll) {
    this.proxy = proxy;
    this.tunnelsAll = tunnelsAll;
  }

  /**
   * Chooses the proxy of a call.
   *
   * @param selector null for direct connections
   * @param tunnelsAll whether the proxy is asked for a tunnel for http URIs too, as for WebSockets
   */
  static Route of(@Nullable ProxySelector selector, URI uri, boolean tunnelsAll) {
    List<java.net.Proxy> named = selector == null ? List.of() : selector.select(uri);
    if (named.isEmpty()) {
      return new Route(null, tunnelsAll);
    }
    java.net.Proxy first = named.getFirst();
    return first.type() == java.net.Proxy.Type.HTTP
            && first.address() instanceof InetSocketAddress address
        ? new Route(Proxy.http(address.getHostString(), address.getPort()), tunnelsAll)
        : new Route(null, tunnelsAll);
  }

  /** The proxies for the request of the calling thread. */
  static List<Proxy> chosen() {
    Proxy known = CHOSEN.get();
    return known == null ? List.of() : List.of(known);
  }

  /** The proxy; null for none. */
  @Nullable
  Proxy proxy() {
    return proxy;
  }

  /** Whether the proxy forwards requests for a URI, without a tunnel. */
  boolean forwards(URI uri) {
    return proxy != null && !tunnelsAll && "http".equalsIgnoreCase(uri.getScheme());
  }

  /** Whether requests for a URI go through a tunnel. */
  boolean tunnels(URI uri) {
    return proxy != null && !forwards(uri);
  }

  /** Sets the credentials for the proxy. */
  void show(Proxy.Credentials credentials) {
    Proxy through = proxy;
    if (through != null) {
      proxy = Proxy.http(through.host(), through.port())
          .withCredentials(credentials.user(), credentials.password())
          .preemptively();
    }
  }

  Response execute(HttpCall call) throws IOException {
    return CHOSEN.execute(call, proxy);
  }
}
