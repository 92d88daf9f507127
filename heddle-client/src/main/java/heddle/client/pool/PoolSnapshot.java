package heddle.client.pool;

import heddle.client.route.Route;
import java.util.List;

/**
 * What a pool held at one moment.
 *
 * @param open connections open or being opened, in all
 * @param limits what the pool allows
 * @param routes one entry for each route that has connections or calls waiting
 */
public record PoolSnapshot(int open, PoolLimits limits, List<RouteSnapshot> routes) {
  public PoolSnapshot {
    routes = List.copyOf(routes);
  }

  /**
   * The part of one route.
   *
   * @param route where the connections lead
   * @param open connections open or being opened, those that drain among them
   * @param idle connections that nobody uses
   * @param draining connections that take no more calls and close when those on them have ended;
   *     the route's limit does not count them
   * @param pending calls that wait for a connection
   * @param exchanges calls that use a connection or open one
   * @param multiplexed whether calls share the connections (HTTP/2), as far as is known
   */
  public record RouteSnapshot(
      Route route,
      int open,
      int idle,
      int draining,
      int pending,
      int exchanges,
      boolean multiplexed) {
    /** Connections that a call uses or is opening. */
    public int inUse() {
      return open - idle;
    }

    @Override
    public String toString() {
      String held = "%s: %d open (%d in use, %d idle)".formatted(route, open, inUse(), idle);
      String shared = multiplexed ? " with %d exchanges".formatted(exchanges) : "";
      return held + shared + ", " + pending + " waiting";
    }

    /** Which limits to raise so that more calls find a connection. */
    String remedy(PoolLimits limits) {
      return multiplexed
          ? ("maxHttp2PerRoute, now %d, or maxStreamsPerConnection, now %d"
                  + " (the server may allow fewer)")
              .formatted(limits.maxHttp2PerRoute(), limits.maxStreamsPerConnection())
          : "maxPerRoute, now %d".formatted(limits.maxPerRoute());
    }
  }

  /** The part of one route; all zeros when the pool does not know it. */
  public RouteSnapshot route(Route route) {
    for (RouteSnapshot snapshot : routes) {
      if (snapshot.route().equals(route)) {
        return snapshot;
      }
    }
    return new RouteSnapshot(route, 0, 0, 0, 0, 0, false);
  }
}
