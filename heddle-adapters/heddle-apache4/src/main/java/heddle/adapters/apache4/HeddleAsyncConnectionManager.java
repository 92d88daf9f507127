package heddle.adapters.apache4;

import heddle.adapters.support.lease.Leases;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.http.concurrent.BasicFuture;
import org.apache.http.concurrent.FutureCallback;
import org.apache.http.conn.UnsupportedSchemeException;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.nio.NHttpClientConnection;
import org.apache.http.nio.conn.NHttpClientConnectionManager;
import org.apache.http.nio.reactor.IOEventDispatch;
import org.apache.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of Apache HttpAsyncClient 4.1 over Heddle. Each exchange has its own virtual
 * thread, which calls producers and consumers; they may block. Apache's own thread only waits for
 * the end of the client. Thread-safe.
 *
 * <pre>{@code
 * CloseableHttpAsyncClient client = HttpAsyncClients.custom()
 *     .setConnectionManager(HeddleAsyncConnectionManager.create())
 *     .build();
 * }</pre>
 *
 * <p>Limits and options are those of {@link HeddleConnectionManager}. An {@code
 * NHttpClientEventHandler} of the client is not called.
 */
public final class HeddleAsyncConnectionManager extends PoolControl
    implements NHttpClientConnectionManager {
  private final CountDownLatch over = new CountDownLatch(1);

  HeddleAsyncConnectionManager(HeddleConnectionManagerBuilder builder) {
    super(builder);
  }

  /**
   * Returns a manager with the defaults. Use {@link HeddleConnectionManagerBuilder#buildAsync} for
   * other settings.
   */
  public static HeddleAsyncConnectionManager create() {
    return HeddleConnectionManager.builder().buildAsync();
  }

  /** A requested connection; cancelling it gives it up. */
  private static final class Lease extends BasicFuture<NHttpClientConnection> {
    private final Leases<HttpRoute, Settings>.Waiter waiter;

    Lease(
        Leases<HttpRoute, Settings>.Waiter waiter,
        @Nullable FutureCallback<NHttpClientConnection> callback) {
      super(callback);
      this.waiter = waiter;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      // Before the waiting thread learns of it and fails the future instead.
      boolean cancelled = super.cancel(mayInterrupt);
      waiter.cancel();
      return cancelled;
    }
  }

  /**
   * Requests a connection, which is granted at once or when others are released. The future and the
   * callback fail with an {@link IllegalArgumentException} if Heddle cannot use this route; its
   * message says why.
   *
   * @param state owner of the connection, which no other owner gets; null for shared connections
   * @param connectTimeout 0 or negative for none
   * @param leaseTimeout 0 or negative for none
   * @throws IllegalStateException if the manager is closed
   */
  @Override
  public Future<NHttpClientConnection> requestConnection(
      HttpRoute route,
      @Nullable Object state,
      long connectTimeout,
      long leaseTimeout,
      TimeUnit unit,
      @Nullable FutureCallback<NHttpClientConnection> callback) {
    Leases<HttpRoute, Settings>.Waiter waiter;
    try {
      waiter = request(route, state);
    } catch (IllegalArgumentException e) {
      BasicFuture<NHttpClientConnection> refused = new BasicFuture<>(callback);
      refused.failed(e);
      return refused;
    }
    Lease lease = new Lease(waiter, callback);
    int connect = Math.clamp(unit.toMillis(connectTimeout), 0, Integer.MAX_VALUE);
    long nanos = leaseTimeout <= 0 ? 0 : unit.toNanos(leaseTimeout);
    if (waiter.isGranted()) {
      serve(lease, route, connect);
    } else {
      waiter.whenOver(nanos, () -> serve(lease, route, connect));
    }
    return lease;
  }

  private void serve(Lease lease, HttpRoute route, int connectTimeout) {
    try {
      AsyncConnection taken =
          take(route, lease.waiter, lease.waiter.await(0), AsyncConnection::new);
      taken.connect(connectTimeout);
      if (!lease.completed(taken)) {
        // Cancelled at the same moment, so the caller will not release it.
        taken.release(null, HeddleConnectionManager.kept(0, null));
      }
    } catch (TimeoutException | IllegalStateException | UnsupportedSchemeException e) {
      lease.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      lease.waiter.cancel();
      lease.failed(e);
    }
  }

  /**
   * Releases a connection and gives up an exchange that has not ended. Idempotent.
   *
   * @param keepAlive how long it may be left open; 0 or negative for as long as Heddle keeps it
   */
  @Override
  public void releaseConnection(
      NHttpClientConnection connection,
      @Nullable Object newState,
      long keepAlive,
      @Nullable TimeUnit unit) {
    own(connection).release(newState, HeddleConnectionManager.kept(keepAlive, unit));
  }

  /** Does nothing: Heddle opens the connection when the first request is sent. */
  @Override
  public void startRoute(NHttpClientConnection connection, HttpRoute route, HttpContext context) {}

  /**
   * Does nothing if the route is a tunnel, whose traffic is secured before anything is sent.
   *
   * @throws UnsupportedOperationException for other routes, which are not upgraded
   */
  @Override
  public void upgrade(NHttpClientConnection connection, HttpRoute route, HttpContext context) {
    own(connection).upgrade();
  }

  @Override
  public void routeComplete(
      NHttpClientConnection connection, HttpRoute route, HttpContext context) {
    ((AsyncConnection) connection).complete();
  }

  @Override
  public boolean isRouteComplete(NHttpClientConnection connection) {
    return ((AsyncConnection) connection).isComplete();
  }

  /** Waits until the manager is shut down, as Apache's client stops when this returns. */
  @Override
  public void execute(IOEventDispatch dispatch) {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void shutdown() {
    super.shutdown();
    over.countDown();
  }
}
