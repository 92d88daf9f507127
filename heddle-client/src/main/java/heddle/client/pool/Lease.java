package heddle.client.pool;

import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.http.Origin;
import heddle.http.Response;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The right of one call to use one connection; released exactly once. */
public final class Lease {
  private static final AtomicIntegerFieldUpdater<Lease> RELEASED =
      AtomicIntegerFieldUpdater.newUpdater(Lease.class, "released");

  private final PooledConnection entry;
  private final Connection connection;
  private final boolean reused;
  private final long since;

  /** Kept reachable until the body has ended; written before the body is handed over. */
  private @Nullable LeakWatch watch;

  /** 1 once the lease was released; an int to save an object. */
  private volatile int released;

  Lease(PooledConnection entry, Connection connection, boolean reused, long since) {
    this.entry = entry;
    this.connection = connection;
    this.reused = reused;
    this.since = since;
  }

  public Connection connection() {
    return connection;
  }

  /** The route whose connection it is, and where the call counts. */
  public Route route() {
    return entry.route.route;
  }

  /** Whether TLS could have chosen HTTP/2 on this connection and chose HTTP/1.1. */
  public boolean isDowngraded() {
    Route route = route();
    return !entry.multiplexed && route.version() == null && route.origin().isSecure();
  }

  /**
   * The route's origin says over HTTP/1.1 that it speaks HTTP/2 too.
   *
   * @param nanos for how long that holds; 0 if it does no more
   */
  public void expectHttp2(long nanos) {
    entry.route.expectHttp2(nanos);
  }

  /** Whether the connection served another call before, so that its peer may have closed it. */
  public boolean isReused() {
    return reused;
  }

  /**
   * Watches the body of a response if it has not arrived completely: if it becomes garbage before
   * its end, that is logged and reported to the exchange, and the lease is released. Closes the
   * response if memory runs out.
   *
   * @param exchange the call that got the response
   */
  public Response watch(Response response, Exchange exchange) throws IOException {
    if (isReleased()) {
      return response;
    }
    Response watched = null;
    try {
      WatchedBody body = new WatchedBody(response.body());
      watch = new LeakWatch(body, response.body(), this, exchange, LeakWatch.MODE);
      watched = response.withBody(body);
      return watched;
    } finally {
      if (watched == null) {
        response.close();
      }
    }
  }

  /**
   * The peer had closed the connection before it got the request: the pool learns from it how long
   * a connection of the route may be idle.
   */
  public void foundDead() {
    entry.route.foundDead(entry, since);
  }

  /**
   * The server answered 421 (Misdirected Request) to a request for this origin, which is not the
   * route's: no request for it uses connections of the route as long as this one lives.
   */
  public void misdirected(Origin origin) {
    entry.route.misdirected(entry, origin);
  }

  /**
   * Releases the connection; only the first call has an effect. From any thread.
   *
   * @param reusable whether the connection can serve another call; it is closed otherwise
   */
  public void release(boolean reusable) {
    if (RELEASED.compareAndSet(this, 0, 1)) {
      LeakWatch watched = watch;
      if (watched != null) {
        watched.clear();
      }
      entry.route.release(entry, reusable, since);
    }
  }

  /** Whether it was released, because its exchange has ended. From any thread. */
  public boolean isReleased() {
    return released != 0;
  }

  void countLeak() {
    entry.route.routes.leaks.incrementAndGet();
  }
}
