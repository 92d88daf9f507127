package heddle.adapters.jersey;

import heddle.client.spi.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import org.glassfish.jersey.client.ClientProperties;
import org.jspecify.annotations.Nullable;

/** The proxy from Jersey's properties. */
final class GivenProxy {
  /** The default port, by the documentation of the property. */
  private static final int USUAL_PORT = 8080;

  private GivenProxy() {}

  /**
   * Returns the proxy; null if none is set.
   *
   * @param named a String, a URI or a {@link java.net.Proxy}
   * @param user is ignored without a proxy
   * @throws IllegalArgumentException if it is something else, or not the URI of a proxy
   */
  static @Nullable Proxy of(
      @Nullable Object named, @Nullable String user, @Nullable String password) {
    if (named == null) {
      return null;
    }
    Proxy proxy =
        switch (named) {
          case String text -> of(text);
          case URI uri -> of(uri.toString());
          case java.net.Proxy given -> of(given);
          default ->
            throw Settings.refusal(
                ClientProperties.PROXY_URI,
                "it is a " + named.getClass().getName() + "; use a String, a URI or a Proxy");
        };
    // Sent preemptively, as Jersey has HttpURLConnection do it.
    return user == null || proxy.equals(Proxy.DIRECT)
        ? proxy
        : proxy.withCredentials(user, password == null ? "" : password).preemptively();
  }

  private static Proxy of(String url) {
    try {
      URI uri = URI.create(url);
      boolean portless = uri.getHost() != null && uri.getPort() < 0;
      return Proxy.parse(portless ? url.replaceFirst("/*$", ":" + USUAL_PORT) : url);
    } catch (IllegalArgumentException e) {
      throw Settings.refusal(ClientProperties.PROXY_URI, e.getMessage());
    }
  }

  private static Proxy of(java.net.Proxy proxy) {
    if (proxy.type() == java.net.Proxy.Type.DIRECT) {
      return Proxy.DIRECT;
    }
    if (!(proxy.address() instanceof InetSocketAddress address)) {
      throw Settings.refusal(ClientProperties.PROXY_URI, proxy + " has no host and port");
    }
    return proxy.type() == java.net.Proxy.Type.SOCKS
        ? Proxy.socks5(address.getHostString(), address.getPort())
        : Proxy.http(address.getHostString(), address.getPort());
  }
}
