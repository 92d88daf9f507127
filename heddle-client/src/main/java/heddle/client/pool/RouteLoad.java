package heddle.client.pool;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How many calls per second arrive at a route, and how long each uses its connection. Their product
 * is the number of calls in flight that the load needs (J. D. C. Little, A Proof for the Queuing
 * Formula L = λW, Operations Research 9 (3), 1961). Counted in periods of a second; the weight of
 * the past decays to about a third in ten seconds.
 *
 * <p>Time is an argument, in nanoseconds. Guarded by the route's lock.
 */
final class RouteLoad {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double MEMORY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private long periodStart;
  private int arrivals;
  private int ends;
  private long inUseNanos;

  // Past periods, weighted by age.
  private double pastNanos;
  private double pastArrivals;
  private double pastEnds;
  private double pastInUseNanos;

  RouteLoad(long now) {
    this.periodStart = now;
  }

  /** A call has arrived, whether it is served, waits or is refused. */
  void arrived(long now) {
    if (now - periodStart >= PERIOD_NANOS) {
      endPeriod(now);
    }
    arrivals++;
  }

  /** A call has released its connection after the given time. */
  void ended(long nanosInUse) {
    ends++;
    inUseNanos += nanosInUse;
  }

  private void endPeriod(long now) {
    double weight = weight(now);
    pastNanos = pastNanos * weight + (now - periodStart);
    pastArrivals = pastArrivals * weight + arrivals;
    pastEnds = pastEnds * weight + ends;
    pastInUseNanos = pastInUseNanos * weight + inUseNanos;
    periodStart = now;
    arrivals = 0;
    ends = 0;
    inUseNanos = 0;
  }

  private double weight(long now) {
    return Math.exp((periodStart - now) / MEMORY_NANOS);
  }

  /** Calls per second; a route younger than a second is treated as if it were one second old. */
  double arrivalRate(long now) {
    double weight = weight(now);
    double nanos = pastNanos * weight + Math.max(0, now - periodStart);
    double seconds = Math.max(1, nanos / PERIOD_NANOS);
    return (pastArrivals * weight + arrivals) / seconds;
  }

  /** How long a call uses its connection; zero before the first has released it. */
  Duration meanTimeInUse(long now) {
    double weight = weight(now);
    double calls = pastEnds * weight + ends;
    return calls == 0
        ? Duration.ZERO
        : Duration.ofNanos((long) ((pastInUseNanos * weight + inUseNanos) / calls));
  }
}
