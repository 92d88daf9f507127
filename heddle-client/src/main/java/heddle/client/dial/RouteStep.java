package heddle.client.dial;

import heddle.client.spi.Proxy;
import heddle.client.spi.Route;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.util.List;

/**
 * How an origin is reached: what the client connects to first, and which handshake precedes HTTP on
 * the channel. A new kind of proxy is a further record here; the exhaustive switches over the steps
 * show what else has to change.
 */
sealed interface RouteStep {
  /** Straight to the origin, with nothing between. */
  record Direct(Origin origin) implements RouteStep {
    @Override
    public String host() {
      return origin.host();
    }

    @Override
    public int port() {
      return origin.port();
    }

    @Override
    public String way() {
      return "";
    }
  }

  /** Through a proxy. */
  sealed interface Through extends RouteStep {
    Proxy proxy();

    @Override
    default String host() {
      return proxy().host();
    }

    @Override
    default int port() {
      return proxy().port();
    }

    @Override
    default String way() {
      return " (through the proxy " + proxy() + ")";
    }
  }

  /** To an HTTP proxy that forwards cleartext requests, whatever their origin. */
  record Forward(Proxy proxy) implements Through {}

  /** To an HTTP proxy that is asked for a tunnel to the origin (RFC 9110 §9.3.6). */
  record Tunnel(Proxy proxy, Origin origin) implements Through {}

  /** To a SOCKS proxy that is asked for a connection to the origin (RFC 1928 §4). */
  record Socks(Proxy proxy, Origin origin) implements Through {}

  /** The host to look up; an IPv6 address without brackets. */
  String host();

  int port();

  /** The proxy, for messages: empty if there is none, and else with a leading space. */
  String way();

  /** The steps by which a route may reach its origin, in the order in which to try them. */
  static List<RouteStep> of(Route route) {
    return route.isDirect()
        ? List.of(new Direct(route.origin()))
        : route.proxies().stream().map(proxy -> of(route, proxy)).toList();
  }

  private static RouteStep of(Route route, Proxy proxy) {
    Origin origin = route.origin();
    // Cleartext HTTP/2 is spoken to the origin itself, with prior knowledge (RFC 9113 §3.3).
    boolean tunnelled = origin.isSecure() || route.version() == HttpVersion.HTTP_2;
    return switch (proxy.kind()) {
      case DIRECT -> new Direct(origin);
      case HTTP, HTTPS -> tunnelled ? new Tunnel(proxy, origin) : new Forward(proxy);
      case SOCKS5 -> new Socks(proxy, origin);
    };
  }
}
