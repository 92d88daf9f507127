package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.internal._HostnamesCommonKt;
import org.jspecify.annotations.Nullable;

/**
 * A route to a server: direct, or through one proxy. Immutable.
 *
 * @param proxy OkHttp's proxy
 * @param host of the connection: the server's, or the proxy's
 * @param port of the connection
 */
record Way(Proxy proxy, String host, int port) {
  static Way direct(HttpUrl url) {
    return new Way(Proxy.NO_PROXY, url.host(), url.port());
  }

  /**
   * The routes for a request, in order: through the proxy of its client, or through those that the
   * selector returns for the server.
   *
   * @param servers returns the URI of the server of a URL
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

  /** The server of a URL, without its path, for selectors. */
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

  /**
   * Removes proxy credentials that are not for the recipient: those of a proxy's authenticator, and
   * those that the caller set for another server.
   *
   * @param first the first request of the call
   * @param forwards whether the proxy forwards the request
   */
  static Request withoutForeignCredentials(Request request, Request first, boolean forwards) {
    String shown = request.header(Tunnel.FIELD);
    boolean stays = shown == null
        || forwards
        || (shown.equals(first.header(Tunnel.FIELD))
            && FollowUps.isSameOrigin(first.url(), request.url()));
    return stays ? request : request.newBuilder().removeHeader(Tunnel.FIELD).build();
  }

  /** Reports a failed proxy to its selector, as OkHttp does. */
  void tellSelector(Interceptor.Chain chain, HttpUrl url, IOException failure) {
    boolean useless = Failures.isUnreached(failure) || Failures.isOfConnection(failure);
    if (chain.getProxy() == null && !isDirect() && useless) {
      chain.getProxySelector().connectFailed(server(url).uri(), proxy.address(), failure);
    }
  }

  boolean isDirect() {
    return proxy.type() == Proxy.Type.DIRECT;
  }

  boolean isHttp() {
    return proxy.type() == Proxy.Type.HTTP;
  }

  /** The address in OkHttp's route for an address of Heddle's connection. */
  InetSocketAddress address(HttpUrl url, @Nullable InetAddress reached, int reachedPort) {
    // A SOCKS proxy looks up the server's name itself, and does not return the address.
    if (proxy.type() == Proxy.Type.SOCKS) {
      return InetSocketAddress.createUnresolved(url.host(), url.port());
    }
    return reached == null
        ? InetSocketAddress.createUnresolved(host, port)
        : new InetSocketAddress(withName(host, reached), reachedPort);
  }

  /**
   * Heddle's proxy. A SOCKS proxy gets the credentials that the JDK's own sockets would send if it
   * asked: those of the JVM's {@link java.net.Authenticator}.
   *
   * @throws IOException if they cannot be sent
   */
  heddle.client.spi.Proxy identified() throws IOException {
    if (isHttp()) {
      // The request keeps its own proxy credentials, as in OkHttp.
      return heddle.client.spi.Proxy.http(host, port)
          .withTunnelFields(Tunnel.FIELDS)
          .passingCredentials();
    }
    heddle.client.spi.Proxy named = heddle.client.spi.Proxy.socks5(host, port);
    if (java.net.Authenticator.getDefault() == null) {
      return named;
    }
    InetSocketAddress address = (InetSocketAddress) proxy.address();
    PasswordAuthentication known = java.net.Authenticator.requestPasswordAuthentication(
        address.getHostString(),
        address.getAddress(),
        port,
        "SOCKS5",
        "SOCKS authentication",
        null);
    if (known == null) {
      return named;
    }
    try {
      return named.withCredentials(known.getUserName(), new String(known.getPassword()));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "the JVM's Authenticator answers for " + proxy + ", but " + e.getMessage(), e);
    }
  }

  /** The address with this name, without a name lookup. */
  private static InetAddress withName(String host, InetAddress address) {
    try {
      return InetAddress.getByAddress(host, address.getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has a wrong length: " + address, e);
    }
  }

  /** Whether the host is an address, which needs no lookup. */
  static boolean isLiteral(String host) {
    return _HostnamesCommonKt.canParseAsIpAddress(host);
  }
}
