package heddle.client.spi;

import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a request goes: requests with equal routes share connections, whatever their timeouts.
 *
 * @param origin the scheme, host and port to reach; that of the first proxy if all proxies forward
 *     requests for any http origin, so that all such origins share its connections
 * @param version the only version of HTTP to speak; null to negotiate it by TLS, or to speak
 *     HTTP/1.1 without TLS
 * @param proxies the proxies to try, in order; empty for a direct route
 * @param tunnelled whether HTTP proxies are asked for a tunnel even to an http origin
 */
public record Route(
    Origin origin, @Nullable HttpVersion version, List<Proxy> proxies, boolean tunnelled) {
  /** Copies the list. */
  public Route {
    proxies = List.copyOf(proxies);
  }

  /** A route on which HTTP proxies forward requests for http origins. */
  public Route(Origin origin, @Nullable HttpVersion version, List<Proxy> proxies) {
    this(origin, version, proxies, false);
  }

  /** A direct route to the origin. */
  public Route(Origin origin, @Nullable HttpVersion version) {
    this(origin, version, List.of());
  }

  /** A direct route to the origin on which the version is negotiated. */
  public Route(Origin origin) {
    this(origin, null);
  }

  /**
   * The route of requests to an origin through one of several proxies. It is the same for all
   * cleartext origins if HTTP proxies forward the requests (RFC 9112 section 3.2.2).
   *
   * @param proxies empty, or only {@link Proxy#DIRECT}, for a direct route to the origin
   */
  public static Route through(List<Proxy> proxies, Origin origin, @Nullable HttpVersion version) {
    if (isDirect(proxies)) {
      return new Route(origin, version);
    }
    boolean forwarded = !origin.isSecure()
        && version != HttpVersion.HTTP_2
        && proxies.stream().allMatch(Proxy::forwards);
    Proxy first = proxies.getFirst();
    return forwarded
        ? new Route(Origin.http(first.host(), first.port()), null, proxies)
        : new Route(origin, version, proxies);
  }

  /** As {@link #through}, but HTTP proxies are asked for tunnels to http origins too. */
  public static Route tunnelled(List<Proxy> proxies, Origin origin, @Nullable HttpVersion version) {
    return isDirect(proxies)
        ? new Route(origin, version)
        : new Route(origin, version, proxies, true);
  }

  private static boolean isDirect(List<Proxy> proxies) {
    return proxies.isEmpty() || (proxies.size() == 1 && proxies.contains(Proxy.DIRECT));
  }

  /** Whether it leads to the origin without a proxy. */
  public boolean isDirect() {
    return proxies.isEmpty();
  }

  /** The same route with another version. */
  public Route withVersion(@Nullable HttpVersion replacement) {
    return new Route(origin, replacement, proxies, tunnelled);
  }

  /** Uses the name of the version: an enum's hash code differs from one process to the next. */
  @Override
  public int hashCode() {
    int direct = origin.hashCode() * 31 + (version == null ? 0 : version.name().hashCode());
    return proxies.isEmpty() ? direct : direct * 31 + proxies.hashCode();
  }

  @Override
  public String toString() {
    String direct = version == null ? origin.toString() : origin + " with " + version;
    return proxies.isEmpty() ? direct : direct + " through " + proxies;
  }
}
