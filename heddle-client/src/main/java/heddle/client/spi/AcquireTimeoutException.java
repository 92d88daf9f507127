package heddle.client.spi;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * No connection of a route became free in time. If the time was the call's deadline, this is the
 * cause of a {@link heddle.http.failure.DeadlineExceededException}.
 */
public final class AcquireTimeoutException extends HttpException {
  private static final long serialVersionUID = 1L;

  private final transient PoolSnapshot pool;

  /**
   * For the pool.
   *
   * @param within the acquire timeout; null if the call's deadline passed
   * @param route the part of the snapshot that is about the call's route
   */
  public AcquireTimeoutException(
      @Nullable Duration within,
      PoolSnapshot.RouteSnapshot route,
      PoolSnapshot pool,
      FailurePoint at) {
    super(
        () -> "no connection became free %s (%s; %d in all)"
            .formatted(
                within == null ? "before the call's deadline" : "within " + within,
                route,
                pool.open()),
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
