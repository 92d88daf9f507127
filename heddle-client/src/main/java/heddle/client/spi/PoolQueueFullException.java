package heddle.client.spi;

import heddle.http.FailurePoint;
import heddle.http.HttpException;

/** All connections of a route are in use, and the queue of waiting calls is full. */
public final class PoolQueueFullException extends HttpException {
  private static final long serialVersionUID = 1L;

  private final transient PoolSnapshot pool;

  /**
   * For the pool.
   *
   * @param route the part of the snapshot that is about the call's route
   */
  public PoolQueueFullException(
      PoolSnapshot.RouteSnapshot route, PoolSnapshot pool, FailurePoint at) {
    super(
        () -> "the queue for a connection is full (%s; %d in all)".formatted(route, pool.open()),
        () -> ": %s, or maxQueuedPerRoute, now %d"
            .formatted(route.remedy(pool.limits()), pool.limits().maxQueuedPerRoute()),
        at,
        null);
    this.pool = pool;
  }

  /** The state of the pool when it refused the call; it has only the call's route. */
  public PoolSnapshot pool() {
    return pool;
  }
}
