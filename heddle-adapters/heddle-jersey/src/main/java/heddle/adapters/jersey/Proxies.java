package heddle.adapters.jersey;

import heddle.client.spi.Proxy;
import heddle.http.Origin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.glassfish.jersey.client.ClientProperties;
import org.jspecify.annotations.Nullable;

/** The proxy from Jersey's properties, and those of the JVM. */
final class Proxies {
  private static final String SCHEME = "http://";

  /** The default port, by the documentation of the property. */
  private static final int USUAL_PORT = 8080;

  private Proxies() {}

  /**
   * Returns the proxy; null if none is set.
   *
   * @param named a String, a URI or a {@link java.net.Proxy}
   * @param user is ignored without a proxy
   * @throws IllegalArgumentException if it is something else, or not the URI of a proxy
   */
  static @Nullable Proxy given(
      @Nullable Object named, @Nullable String user, @Nullable String password) {
    if (named == null) {
      return null;
    }
    Proxy proxy;
    try {
      proxy = switch (named) {
        case String text -> of(text);
        case URI uri -> of(uri.toString());
        case java.net.Proxy given -> Proxy.of(given);
        default ->
          throw new IllegalArgumentException(
              "it is a " + named.getClass().getName() + "; use a String, a URI or a Proxy");
      };
    } catch (IllegalArgumentException e) {
      throw Settings.refusal(ClientProperties.PROXY_URI, e.getMessage());
    }
    // Sent preemptively, as Jersey has HttpURLConnection do it.
    return user == null || proxy.equals(Proxy.DIRECT)
        ? proxy
        : proxy.withCredentials(user, password == null ? "" : password).preemptively();
  }

  private static Proxy of(String url) {
    URI uri = URI.create(url);
    boolean portless = uri.getHost() != null && uri.getPort() < 0;
    return Proxy.parse(portless ? url.replaceFirst("/*$", ":" + USUAL_PORT) : url);
  }

  /** The JVM's proxies for an origin, in the order in which they are tried; empty for none. */
  static List<Proxy> ofTheJvm(Origin origin) {
    ProxySelector selector = ProxySelector.getDefault();
    return selector == null
        ? List.of()
        : heddle.client.spi.ProxySelector.of(new HostsOfUrls(selector)).select(origin);
  }

  /**
   * If a proxy's host was set to a URL, such as {@code -Dhttp.proxyHost=http://proxy.test}, the
   * host of the URL is used, as by Jersey's own connectors.
   */
  private static final class HostsOfUrls extends ProxySelector {
    private final ProxySelector selector;

    HostsOfUrls(ProxySelector selector) {
      this.selector = selector;
    }

    @Override
    public List<java.net.Proxy> select(URI uri) {
      return selector.select(uri).stream().map(HostsOfUrls::withoutScheme).toList();
    }

    private static java.net.Proxy withoutScheme(java.net.Proxy proxy) {
      if (!(proxy.address() instanceof InetSocketAddress address)
          || !address.getHostString().toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
        return proxy;
      }
      String host = address.getHostString().substring(SCHEME.length());
      return new java.net.Proxy(
          proxy.type(), InetSocketAddress.createUnresolved(host, address.getPort()));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
      selector.connectFailed(uri, address, failure);
    }
  }
}
