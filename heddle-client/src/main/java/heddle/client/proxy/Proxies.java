package heddle.client.proxy;

import heddle.client.spi.Proxy;
import heddle.client.spi.ProxySelector;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Ways to say which proxy is for which origin.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder().proxies(Proxies.fromSystem()).build();
 * }</pre>
 */
public final class Proxies {
  private Proxies() {}

  /** One proxy for all origins but some. */
  public static ProxySelector fixed(Proxy proxy, NoProxy except) {
    List<Proxy> always = List.of(proxy);
    return origin -> except.matches(origin) ? List.of() : always;
  }

  /**
   * What the JVM and its environment say now; later changes are not seen.
   *
   * <p>First the JDK's system properties: {@code http.proxyHost} and {@code http.proxyPort} (80)
   * for http origins, {@code https.proxyHost} and {@code https.proxyPort} (443) for https origins,
   * else {@code socksProxyHost} and {@code socksProxyPort} (1080), not for what {@code
   * http.nonProxyHosts} matches ({@code localhost|127.*|[::1]} if it is not set).
   *
   * <p>Where they name no proxy for a scheme, the environment: {@code http_proxy} for http origins,
   * {@code https_proxy} or {@code HTTPS_PROXY} for https origins, else {@code all_proxy} or {@code
   * ALL_PROXY}, not for what {@code no_proxy} or {@code NO_PROXY} matches. {@code HTTP_PROXY} is
   * not read: a client of a CGI script decides what it says (CVE-2016-5385).
   *
   * @throws IllegalArgumentException if one of them is malformed; the message says which
   */
  public static ProxySelector fromSystem() {
    return SystemProxies.of(System::getProperty, System.getenv());
  }

  /** For tests: as {@link #fromSystem}. */
  static ProxySelector fromSystem(Map<String, String> properties, Map<String, String> environment) {
    return SystemProxies.of(properties::get, environment);
  }

  /**
   * As a selector of the JDK's says, which is asked for each request. What it means by a proxy of
   * type HTTP is spoken to in cleartext, by SOCKS version 5. It is not told of proxies that fail.
   *
   * <p>The selector that this makes throws an {@link IllegalArgumentException} where the JDK's
   * answers with a proxy that has no address of host and port.
   */
  public static ProxySelector of(java.net.ProxySelector selector) {
    return origin -> {
      List<Proxy> proxies = new ArrayList<>();
      for (java.net.Proxy each : selector.select(URI.create(origin + "/"))) {
        proxies.add(of(each));
      }
      return List.copyOf(proxies);
    };
  }

  private static Proxy of(java.net.Proxy proxy) {
    if (proxy.type() == java.net.Proxy.Type.DIRECT) {
      return Proxy.DIRECT;
    }
    if (!(proxy.address() instanceof InetSocketAddress address)) {
      throw new IllegalArgumentException(
          "the ProxySelector answered %s, which is no host and port".formatted(proxy));
    }
    return switch (proxy.type()) {
      case DIRECT -> Proxy.DIRECT;
      case HTTP -> Proxy.http(address.getHostString(), address.getPort());
      case SOCKS -> Proxy.socks5(address.getHostString(), address.getPort());
    };
  }
}
