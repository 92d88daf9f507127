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
   * @param open connections open or being opened
   * @param idle connections that nobody uses
   * @param pending calls that wait for a connection
   */
  public record RouteSnapshot(Route route, int open, int idle, int pending) {
    /** Connections that a call uses or is opening. */
    public int inUse() {
      return open - idle;
    }

    @Override
    public String toString() {
      return "%s: %d open (%d in use, %d idle), %d waiting"
          .formatted(route, open, inUse(), idle, pending);
    }
  }

  /** The part of one route; all zeros when the pool does not know it. */
  public RouteSnapshot route(Route route) {
    for (RouteSnapshot snapshot : routes) {
      if (snapshot.route().equals(route)) {
        return snapshot;
      }
    }
    return new RouteSnapshot(route, 0, 0, 0);
  }
}
