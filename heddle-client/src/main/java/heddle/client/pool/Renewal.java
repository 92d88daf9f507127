package heddle.client.pool;

import heddle.connection.Exchange;
import heddle.http.FailurePoint;
import heddle.http.Method;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.transport.Deadline;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Opens the successor of a shared connection that will soon be too old, and then drains that one.
 * The connector sees it as the call for which the connection is opened; it has no listeners.
 */
final class Renewal implements Exchange, Runnable {
  private static final System.Logger LOG = System.getLogger("heddle.client");

  private final ConnectionPool owner;
  private final PooledConnection aging;
  private final PooledConnection successor;
  private final Deadline deadline;

  Renewal(
      ConnectionPool owner, PooledConnection aging, PooledConnection successor, Deadline deadline) {
    this.owner = owner;
    this.aging = aging;
    this.successor = successor;
    this.deadline = deadline;
  }

  /** If the successor cannot be opened, the old connection serves until it is too old. */
  @Override
  public void run() {
    RoutePool pool = aging.route;
    try {
      owner.open(successor, this);
      pool.release(successor, true, RoutePool.NOT_USED);
      pool.drain(aging);
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "the successor of a connection that ages could not be opened", e);
    } finally {
      pool.endRenewal();
    }
  }

  @Override
  public Deadline deadline() {
    return deadline;
  }

  @Override
  public long maxSilenceNanos() {
    return Deadline.NEVER_NANOS;
  }

  @Override
  public void enter(Phase phase) {}

  @Override
  public void sent(Sent sent) {}

  /** There is no request, so the method is CONNECT. */
  @Override
  public FailurePoint point() {
    return new FailurePoint(
        Method.CONNECT, aging.route.route().origin(), Phase.CONNECT, Sent.NO, Duration.ZERO);
  }

  @Override
  public void ended(boolean reusable) {}
}
