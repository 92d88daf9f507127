package heddle.client.pool;

import heddle.connection.Exchange;
import heddle.http.FailurePoint;
import heddle.http.Method;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.transport.SafeLog;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Opens the successor of a shared connection that will soon be too old, and then drains that one.
 * The connector sees it as the call for which the connection is opened; it has no listeners.
 */
final class Renewal implements Exchange, Runnable {
  private static final System.Logger LOG = System.getLogger("heddle.client");

  private final ConnectionPool owner;
  private final RoutePool route;
  private final PooledConnection aging;
  private final PooledConnection successor;
  private final Deadline deadline;

  /** Set before the thread is interrupted; the thread looks here after it has published itself. */
  private volatile boolean cancelled;

  private volatile @Nullable Thread thread;

  Renewal(
      ConnectionPool owner, PooledConnection aging, PooledConnection successor, Deadline deadline) {
    this.owner = owner;
    this.route = aging.route;
    this.aging = aging;
    this.successor = successor;
    this.deadline = deadline;
  }

  /** Begins, on a virtual thread. Does not throw: the caller has a connection to go on with. */
  void start() {
    try {
      Thread.ofVirtual().name("heddle-renew").start(this);
    } catch (RuntimeException | Error e) {
      fail(e);
      route.release(successor, false, RoutePool.NOT_USED);
      route.endRenewal(this);
    }
  }

  /** Gives up, because the pool is closed. */
  void cancel() {
    cancelled = true;
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  /** If the successor cannot be opened, the old connection serves until it is too old. */
  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      if (cancelled) {
        route.release(successor, false, RoutePool.NOT_USED);
        return;
      }
      owner.open(successor, this);
      route.release(successor, true, RoutePool.NOT_USED);
      route.drain(aging);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    } finally {
      route.endRenewal(this);
    }
  }

  private void fail(Throwable e) {
    SafeLog.log(
        LOG, Level.DEBUG, "no successor could be opened of a connection of ", route.route, e);
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
        Method.CONNECT, route.route.origin(), Phase.CONNECT, Sent.NO, Duration.ZERO);
  }

  @Override
  public void ended(boolean reusable) {}
}
