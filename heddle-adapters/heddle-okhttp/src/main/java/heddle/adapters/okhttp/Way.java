package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import org.jspecify.annotations.Nullable;

/**
 * One way to a server: straight, or through one proxy. Immutable.
 *
 * @param proxy as OkHttp knows it
 * @param host that is connected to: the server's, or the proxy's
 * @param port the same
 */
record Way(Proxy proxy, String host, int port) {
  /** The way of the request that the calling thread sends, for {@link #chosen}. */
  private static final ScopedValue<Way> CURRENT = ScopedValue.newInstance();

  /** Something that sends a request. */
  @FunctionalInterface
  interface Sending {
    heddle.http.Response send() throws IOException;
  }

  static Way direct(HttpUrl url) {
    return new Way(Proxy.NO_PROXY, url.host(), url.port());
  }

  /**
   * The ways for a request, in the order in which to try them: through the proxy of its client, or
   * through those that the selector names for the server.
   *
   * @param servers knows the URI of the server of a URL
   * @throws IllegalArgumentException if a proxy has no address of host and port
   */
  static List<Way> of(Interceptor.Chain chain, HttpUrl url, Function<HttpUrl, URI> servers) {
    Proxy proxy = chain.getProxy();
    if (proxy != null) {
      return List.of(of(proxy, url));
    }
    List<Proxy> selected = chain.getProxySelector().select(servers.apply(url));
    if (selected == null || selected.isEmpty()) {
      return List.of(direct(url));
    }
    List<Way> ways = new ArrayList<>(selected.size());
    for (Proxy each : selected) {
      ways.add(of(each, url));
    }
    return ways;
  }

  /** The server alone, which is all that a selector is told of a URL. */
  static HttpUrl server(HttpUrl url) {
    return new HttpUrl.Builder()
        .scheme(url.scheme())
        .host(url.host())
        .port(url.port())
        .build();
  }

  private static Way of(Proxy proxy, HttpUrl url) {
    if (proxy.type() == Proxy.Type.DIRECT) {
      return direct(url);
    }
    SocketAddress address = proxy.address();
    if (!(address instanceof InetSocketAddress known)) {
      throw new IllegalArgumentException("Proxy.address() is not an InetSocketAddress: " + address);
    }
    InetAddress resolved = known.getAddress();
    String host = resolved == null ? known.getHostString() : resolved.getHostAddress();
    return new Way(proxy, host, known.getPort());
  }

  boolean isDirect() {
    return proxy.type() == Proxy.Type.DIRECT;
  }

  boolean isHttp() {
    return proxy.type() == Proxy.Type.HTTP;
  }

  /** The address that OkHttp's route has for an address of Heddle's connection. */
  InetSocketAddress address(HttpUrl url, @Nullable InetAddress reached, int reachedPort) {
    // Who looks the server's name up, and where it is then, a SOCKS proxy keeps for itself.
    if (proxy.type() == Proxy.Type.SOCKS) {
      return InetSocketAddress.createUnresolved(url.host(), url.port());
    }
    return reached == null
        ? InetSocketAddress.createUnresolved(host, port)
        : new InetSocketAddress(Names.withName(host, reached), reachedPort);
  }

  /** Sends a request this way. */
  heddle.http.Response send(Sending sending) throws IOException {
    return ScopedValue.where(CURRENT, this).call(sending::send);
  }

  /** What the selector of Heddle's client answers for the request of the calling thread. */
  static List<heddle.client.spi.Proxy> chosen() {
    return CURRENT.isBound() ? List.of(CURRENT.get().heddle()) : List.of();
  }

  private heddle.client.spi.Proxy heddle() {
    return switch (proxy.type()) {
      case DIRECT -> heddle.client.spi.Proxy.DIRECT;
      case HTTP -> heddle.client.spi.Proxy.http(host, port);
      case SOCKS -> heddle.client.spi.Proxy.socks5(host, port);
    };
  }
}
