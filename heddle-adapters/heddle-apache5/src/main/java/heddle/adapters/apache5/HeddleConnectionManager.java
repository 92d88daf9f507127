package heddle.adapters.apache5;

import heddle.adapters.support.Clients;
import heddle.adapters.support.lease.Leases;
import heddle.adapters.support.lease.Warm;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of Apache's classic client over Heddle. Apache still handles interceptors,
 * cookies, authentication, redirects, retries and caches. Thread-safe. Make blocking calls on
 * virtual threads.
 *
 * <pre>{@code
 * CloseableHttpClient client = HttpClients.custom()
 *     .setConnectionManager(HeddleConnectionManager.create())
 *     .build();
 * }</pre>
 *
 * <p>By default, at most 256 requests per route and 1,024 in total run at a time.
 */
public final class HeddleConnectionManager extends PoolControl<HeddleEndpoint>
    implements HttpClientConnectionManager {
  HeddleConnectionManager(HeddleConnectionManagerBuilder builder) {
    super(builder, HeddleEndpoint.class, false);
  }

  /** Returns a manager with the defaults. */
  public static HeddleConnectionManager create() {
    return builder().build();
  }

  public static HeddleConnectionManagerBuilder builder() {
    return new HeddleConnectionManagerBuilder();
  }

  // ---- leasing

  /**
   * Requests an endpoint, which is granted at once or when others are released.
   *
   * @param state owner of the connection, which no other owner gets; null for shared connections. A
   *     connection released with an equal state is reused, otherwise a new one is opened
   * @throws IllegalArgumentException if Heddle cannot use this route; the message says why
   * @throws IllegalStateException if the manager is closed
   */
  @Override
  public LeaseRequest lease(
      String id, HttpRoute route, @Nullable Timeout requestTimeout, @Nullable Object state) {
    Settings.requireHonourable(route);
    Settings settings = routes.settings(route);
    return new Lease(route, settings, enqueue(route, owner(state)));
  }

  /** Requests an endpoint as above; the time to wait is that of {@link LeaseRequest#get}. */
  public LeaseRequest lease(String id, HttpRoute route, @Nullable Object state) {
    return lease(id, route, Timeout.DISABLED, state);
  }

  @Override
  HeddleEndpoint endpoint(Leased lease) {
    return new HeddleEndpoint(this, lease);
  }

  private final class Lease implements LeaseRequest {
    private final HttpRoute route;
    private final Settings settings;
    private final Leases<HttpRoute, Settings>.Waiter waiter;
    private @Nullable ConnectionEndpoint endpoint;

    Lease(HttpRoute route, Settings settings, Leases<HttpRoute, Settings>.Waiter waiter) {
      this.route = route;
      this.settings = settings;
      this.waiter = waiter;
    }

    @Override
    public ConnectionEndpoint get(Timeout timeout)
        throws InterruptedException, ExecutionException, TimeoutException {
      ConnectionEndpoint known = endpoint;
      if (known == null) {
        Duration limit = Settings.limit(timeout, Clients.FOREVER);
        known = taken(await(limit.equals(Clients.FOREVER) ? 0 : limit.toNanos()));
        endpoint = known;
      }
      return known;
    }

    private @Nullable Warm<Settings> await(long nanos)
        throws InterruptedException, ExecutionException, TimeoutException {
      try {
        return waiter.await(nanos);
      } catch (CancellationException e) {
        throw new ExecutionException(new RequestFailedException(e.getMessage()));
      } catch (IllegalStateException e) {
        throw new ExecutionException(e);
      }
    }

    private ConnectionEndpoint taken(@Nullable Warm<Settings> warm) throws ExecutionException {
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
   * Releases an endpoint and gives up an exchange that has not ended. A connection with an owner
   * stays open only for the new state, or for the scheme that has authenticated it. Idempotent.
   */
  @Override
  public void release(
      ConnectionEndpoint endpoint, @Nullable Object newState, @Nullable TimeValue keepAlive) {
    own(endpoint).release(owner(newState), keepAlive);
  }

  /** Allows requests on the endpoint; the first one opens the connection. */
  @Override
  public void connect(
      ConnectionEndpoint endpoint, @Nullable TimeValue connectTimeout, HttpContext context) {
    own(endpoint).leased().connect(connectTimeout);
  }

  /**
   * Does nothing if the route is a tunnel, whose traffic is secured before anything is sent.
   *
   * @throws UnsupportedOperationException for other routes, which are not upgraded
   */
  @Override
  public void upgrade(ConnectionEndpoint endpoint, HttpContext context) {
    own(endpoint).leased().upgrade();
  }
}
