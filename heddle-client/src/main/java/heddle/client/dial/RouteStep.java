package heddle.client.dial;

import heddle.client.spi.Proxy;
import heddle.client.spi.Route;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.util.List;
import java.util.Set;

/**
 * How an origin is reached: what the client connects to first, and which handshake precedes HTTP on
 * the channel. The exhaustive switches over the kinds show what a further one has to change.
 *
 * @param proxy {@link Proxy#DIRECT} if there is none
 */
record RouteStep(Kind kind, Proxy proxy, Origin origin) {
  enum Kind {
    /** Straight to the origin, with nothing between. */
    DIRECT,
    /** To an HTTP proxy that forwards cleartext requests, whatever their origin. */
    FORWARD,
    /** To an HTTP proxy that is asked for a tunnel to the origin (RFC 9110 §9.3.6). */
    TUNNEL,
    /** To a SOCKS proxy that is asked for a connection to the origin (RFC 1928 §4). */
    SOCKS
  }

  private static final int HTTPS_PORT = 443;

  boolean isDirect() {
    return kind == Kind.DIRECT;
  }

  /** The host to look up; an IPv6 address without brackets. */
  String host() {
    return isDirect() ? origin.host() : proxy.host();
  }

  int port() {
    return isDirect() ? origin.port() : proxy.port();
  }

  /**
   * Whether the host is said to speak this version alone.
   *
   * @param versions those of the host's HTTPS records, which are for https at its default port
   *     unless their name has a port (RFC 9460 §9.1)
   */
  boolean speaksOnly(HttpVersion version, Set<HttpVersion> versions) {
    return isDirect()
        && origin.isSecure()
        && origin.port() == HTTPS_PORT
        && versions.equals(Set.of(version));
  }

  /** The proxy, for messages: empty if there is none, and else with a leading space. */
  String way() {
    return isDirect() ? "" : " (through the proxy " + proxy + ")";
  }

  /** The steps by which a route may reach its origin, in the order in which to try them. */
  static List<RouteStep> of(Route route) {
    List<Proxy> proxies = route.isDirect() ? List.of(Proxy.DIRECT) : route.proxies();
    return proxies.stream().map(proxy -> of(route, proxy)).toList();
  }

  private static RouteStep of(Route route, Proxy proxy) {
    // Cleartext HTTP/2 is spoken to the origin itself, with prior knowledge (RFC 9113 §3.3).
    boolean tunnelled =
        route.tunnelled() || route.origin().isSecure() || route.version() == HttpVersion.HTTP_2;
    Kind kind =
        switch (proxy.kind()) {
          case DIRECT -> Kind.DIRECT;
          case HTTP, HTTPS -> tunnelled ? Kind.TUNNEL : Kind.FORWARD;
          case SOCKS5 -> Kind.SOCKS;
        };
    return new RouteStep(kind, proxy, route.origin());
  }
}
