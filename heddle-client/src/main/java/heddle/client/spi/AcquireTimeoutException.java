package heddle.client.spi;

import heddle.http.FailurePoint;
import heddle.http.HttpException;

/** No connection of a route became free in time. */
public final class AcquireTimeoutException extends HttpException {
  private static final long serialVersionUID = 1L;

  private final transient PoolSnapshot pool;

  /**
   * For the pool.
   *
   * @param route the part of the snapshot that is about the call's route
   */
  public AcquireTimeoutException(
      PoolSnapshot.RouteSnapshot route, PoolSnapshot pool, FailurePoint at) {
    super(
        () -> "no connection became free within %s (%s; %d in all)"
            .formatted(pool.limits().acquireTimeout(), route, pool.open()),
        () -> ": " + route.remedy(pool.limits()) + ", or wait longer",
        at,
        null);
    this.pool = pool;
  }

  /** The state of the pool when the time was up. */
  public PoolSnapshot pool() {
    return pool;
  }
}
