package heddle.client.dial;

import heddle.client.route.Route;
import heddle.http.Origin;

/**
 * What is connected to first on the way to an origin, and so what stands between the channel and
 * the origin's own protocol. A way that leads through somebody else is a further record here: each
 * switch over the steps says where it has to be known.
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
  }

  /** The host to look up; an IPv6 address without brackets. */
  String host();

  int port();

  /** The way that a route takes. */
  static RouteStep of(Route route) {
    return new Direct(route.origin());
  }
}
