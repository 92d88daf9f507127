package heddle.client.spi;

import heddle.client.settings.PoolLimits;
import java.time.Duration;
import java.util.List;

/**
 * The state of a pool at one moment.
 *
 * @param open connections open or being opened, in all
 * @param leaked responses so far whose body was neither read to its end nor closed
 * @param limits what the pool allows
 * @param routes those that have connections or waiting calls, or had them recently
 */
public record PoolSnapshot(int open, long leaked, PoolLimits limits, List<RouteSnapshot> routes) {
  /** Copies the list. */
  public PoolSnapshot {
    routes = List.copyOf(routes);
  }

  /**
   * The part of one route.
   *
   * @param route where the connections lead
   * @param open connections open or being opened, including those that drain
   * @param idle connections that no call uses
   * @param draining connections that take no more calls and close when the calls on them have
   *     ended; they do not count against the route's limit
   * @param pending calls that wait for a connection
   * @param inFlight calls that use a connection or open one
   * @param inFlightLimit how many calls may be in flight now
   * @param multiplexed whether calls share the connections (HTTP/2), as far as is known
   * @param arrivalRate calls per second, recently
   * @param meanTimeInUse how long a call uses its connection, recently; zero before one has ended
   * @param idleLimit how long a connection may be idle, as configured or as the server has it
   */
  public record RouteSnapshot(
      Route route,
      int open,
      int idle,
      int draining,
      int pending,
      int inFlight,
      int inFlightLimit,
      boolean multiplexed,
      double arrivalRate,
      Duration meanTimeInUse,
      Duration idleLimit) {
    /** Connections that a call uses or is opening. */
    public int inUse() {
      return open - idle;
    }

    /**
     * How many calls have to be in flight at once on average so that the queue does not grow under
     * the present load, by Little's law: the arrival rate times the time that each takes. Over
     * HTTP/1.1 that is the number of connections.
     */
    public int neededInFlight() {
      double seconds = meanTimeInUse.toNanos() / 1e9;
      return (int) Math.min(Integer.MAX_VALUE, Math.ceil(arrivalRate * seconds));
    }

    @Override
    public String toString() {
      String held = "%s: %d open (%d in use, %d idle)".formatted(route, open, inUse(), idle);
      String shared = multiplexed ? " with %d exchanges".formatted(inFlight) : "";
      return held + shared + ", " + pending + " waiting" + load();
    }

    private String load() {
      return meanTimeInUse.isZero()
          ? ""
          : "; %.1f calls a second of %.1f ms each need %d at once"
              .formatted(arrivalRate, meanTimeInUse.toNanos() / 1e6, neededInFlight());
    }

    /**
     * What to do so that more calls find a connection, for a message: the limit to raise and its
     * value.
     *
     * @param limits those of the pool
     */
    public String remedy(PoolLimits limits) {
      if (inFlight < inFlightLimit) {
        String connections = multiplexed
            ? ("maxHttp2PerRoute, now %d, or maxStreamsPerConnection, now %d"
                    + " (the server may allow fewer)")
                .formatted(limits.maxHttp2PerRoute(), limits.maxStreamsPerConnection())
            : "maxPerRoute, now %d".formatted(limits.maxPerRoute());
        return "raise %s, or maxTotal, now %d".formatted(connections, limits.maxTotal());
      }
      return limits.adaptive() == null
          ? "raise maxInFlightPerRoute, now %d".formatted(inFlightLimit)
          : "ask less of this server, which was found to cope with %d calls at once"
              .formatted(inFlightLimit);
    }
  }

  /** The part of one route; all counts are zero if the pool does not know it. */
  public RouteSnapshot route(Route route) {
    for (RouteSnapshot snapshot : routes) {
      if (snapshot.route().equals(route)) {
        return snapshot;
      }
    }
    int most = limits.maxInFlightPerRoute();
    return new RouteSnapshot(
        route, 0, 0, 0, 0, 0, most, false, 0, Duration.ZERO, limits.idleTimeout());
  }
}
