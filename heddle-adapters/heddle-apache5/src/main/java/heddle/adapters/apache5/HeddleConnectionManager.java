package heddle.adapters.apache5;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Lets Apache's classic client send its requests over Heddle. Interceptors, cookies,
 * authentication, redirects, retries and caches stay Apache's own. Safe for use by many threads;
 * blocking calls belong on virtual threads.
 *
 * <pre>{@code
 * CloseableHttpClient client = HttpClients.custom()
 *     .setConnectionManager(HeddleConnectionManager.create())
 *     .build();
 * }</pre>
 *
 * <p>Unless told otherwise, 64 requests for a route and 512 in all may be under way at a time.
 */
public final class HeddleConnectionManager extends PoolControl<HeddleEndpoint>
    implements HttpClientConnectionManager {
  HeddleConnectionManager(HeddleConnectionManagerBuilder builder) {
    super(builder, HeddleEndpoint.class, false);
  }

  /** A manager with the defaults. */
  public static HeddleConnectionManager create() {
    return builder().build();
  }

  public static HeddleConnectionManagerBuilder builder() {
    return new HeddleConnectionManagerBuilder();
  }

  // ---- leasing

  /**
   * Asks for an endpoint, which is there at once or when others have been released.
   *
   * @param state whose connection it is, which nobody else gets; null for those that all share.
   *     One that was released for an equal state is taken, or else opened
   * @throws IllegalArgumentException if Heddle cannot go this way; the message says why
   * @throws IllegalStateException if the manager is closed
   */
  @Override
  public LeaseRequest lease(
      String id, HttpRoute route, @Nullable Timeout requestTimeout, @Nullable Object state) {
    Settings.requireHonourable(route);
    Settings settings = routes.settings(route);
    return new Lease(route, settings, leases.enqueue(route, owner(state)));
  }

  @Override
  HeddleEndpoint endpoint(Leased lease) {
    return new HeddleEndpoint(this, lease);
  }

  private final class Lease implements LeaseRequest {
    private final HttpRoute route;
    private final Settings settings;
    private final Leases.Waiter waiter;
    private @Nullable ConnectionEndpoint endpoint;

    Lease(HttpRoute route, Settings settings, Leases.Waiter waiter) {
      this.route = route;
      this.settings = settings;
      this.waiter = waiter;
    }

    @Override
    public ConnectionEndpoint get(Timeout timeout)
        throws InterruptedException, ExecutionException, TimeoutException {
      ConnectionEndpoint known = endpoint;
      if (known == null) {
        Duration limit = Settings.limit(timeout, Settings.NO_LIMIT);
        known = taken(waiter.await(limit.equals(Settings.NO_LIMIT) ? 0 : limit.toNanos()));
        endpoint = known;
      }
      return known;
    }

    private ConnectionEndpoint taken(@Nullable Warm warm) throws ExecutionException {
      try {
        return take(route, settings, waiter, warm);
      } catch (IOException | IllegalArgumentException e) {
        waiter.release(null);
        throw new ExecutionException(e);
      }
    }

    @Override
    public boolean cancel() {
      return waiter.cancel();
    }
  }

  /**
   * Gives an endpoint back; what is left of its exchange is given up. A connection of its own is
   * left open for the new state alone, or for the scheme that has authenticated it. Idempotent.
   */
  @Override
  public void release(
      ConnectionEndpoint endpoint, @Nullable Object newState, @Nullable TimeValue keepAlive) {
    own(endpoint).release(owner(newState), keepAlive);
  }

  /** From now on requests may be sent on the endpoint; the first opens the connection. */
  @Override
  public void connect(
      ConnectionEndpoint endpoint, @Nullable TimeValue connectTimeout, HttpContext context) {
    own(endpoint).leased().connect(connectTimeout);
  }

  /**
   * Nothing is to be done where the route is a tunnel: what goes through it is secured before
   * anything is sent.
   *
   * @throws UnsupportedOperationException for others, which stay as they are
   */
  @Override
  public void upgrade(ConnectionEndpoint endpoint, HttpContext context) {
    requireTunnel(own(endpoint).leased());
  }
}
