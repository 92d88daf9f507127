package heddle.client.spi;

import heddle.http.Origin;
import java.net.URI;
import java.util.List;

/**
 * Decides which proxies requests go through. Called once for each request, on the thread that makes
 * the call; it must be quick, so cache what takes long. It must be safe for use by many threads.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder().proxies(ProxySelector.fromSystem()).build();
 * }</pre>
 */
@FunctionalInterface
public interface ProxySelector {
  /**
   * The proxies for requests to an origin, in the order in which to try them. If one cannot be
   * reached, nothing of the request has been sent, and the next is tried; {@link Proxy#DIRECT} may
   * be among them. Empty for no proxy. Requests share connections only if their lists are equal.
   */
  List<Proxy> select(Origin origin);

  /** One proxy for all origins except some. */
  static ProxySelector fixed(Proxy proxy, NoProxy except) {
    List<Proxy> always = List.of(proxy);
    return origin -> except.matches(origin) ? List.of() : always;
  }

  /**
   * The proxies that the JVM's system properties and environment variables name now, not later.
   *
   * <p>First the JDK's system properties: {@code http.proxyHost} and {@code http.proxyPort} (80)
   * for http origins, {@code https.proxyHost} and {@code https.proxyPort} (443) for https origins,
   * else {@code socksProxyHost} and {@code socksProxyPort} (1080), except for origins that {@code
   * http.nonProxyHosts} matches ({@code localhost|127.*|[::1]} if it is not set).
   *
   * <p>If they name no proxy for a scheme, the environment: {@code http_proxy} for http origins,
   * {@code https_proxy} or {@code HTTPS_PROXY} for https origins, else {@code all_proxy} or {@code
   * ALL_PROXY}, except for origins that {@code no_proxy} or {@code NO_PROXY} matches. {@code
   * HTTP_PROXY} is not read: in a CGI script, its value is set by the client (CVE-2016-5385).
   *
   * @throws IllegalArgumentException if one of them is malformed; the message names it
   */
  static ProxySelector fromSystem() {
    return SystemProxies.of(System::getProperty, System.getenv());
  }

  /**
   * The proxies that a selector of the JDK returns, which is asked for each request. Its HTTP
   * proxies are spoken to in cleartext, its SOCKS proxies with version 5. Failures of proxies are
   * not reported to it. One without host and port is an {@link IllegalArgumentException}.
   */
  static ProxySelector of(java.net.ProxySelector selector) {
    return origin ->
        selector.select(URI.create(origin + "/")).stream().map(Proxy::of).toList();
  }
}
