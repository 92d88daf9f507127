package heddle.adapters.apache4;

import heddle.adapters.support.Clients;
import heddle.adapters.support.lease.Leases;
import heddle.adapters.support.lease.Warm;
import java.io.Closeable;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.http.HttpClientConnection;
import org.apache.http.HttpRequest;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.apache.http.conn.ConnectionRequest;
import org.apache.http.conn.HttpClientConnectionManager;
import org.apache.http.conn.UnsupportedSchemeException;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of Apache HttpClient 4.5 over Heddle. Apache still handles interceptors,
 * cookies, authentication, redirects and retries. Thread-safe. Make blocking calls on virtual
 * threads.
 *
 * <pre>{@code
 * CloseableHttpClient client = HttpClients.custom()
 *     .setConnectionManager(HeddleConnectionManager.create())
 *     .build();
 * }</pre>
 *
 * <p>By default, at most 256 requests per route and 1,024 in total run at a time.
 */
public final class HeddleConnectionManager extends PoolControl
    implements HttpClientConnectionManager, Closeable {
  /** Requests whose connection was lost, while Apache may repeat them. */
  private final Set<HttpRequest> lost =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  HeddleConnectionManager(HeddleConnectionManagerBuilder builder) {
    super(builder);
  }

  /** Returns a manager with the defaults. */
  public static HeddleConnectionManager create() {
    return builder().build();
  }

  public static HeddleConnectionManagerBuilder builder() {
    return new HeddleConnectionManagerBuilder();
  }

  /**
   * Requests a connection, which is granted at once or when others are released.
   *
   * @param state owner of the connection, which no other owner gets; null for shared connections
   * @throws IllegalArgumentException if Heddle cannot use this route; the message says why
   * @throws IllegalStateException if the manager is closed
   */
  @Override
  public ConnectionRequest requestConnection(HttpRoute route, @Nullable Object state) {
    return new Lease(route, request(route, state));
  }

  private final class Lease implements ConnectionRequest {
    private final HttpRoute route;
    private final Leases<HttpRoute, Settings>.Waiter waiter;

    Lease(HttpRoute route, Leases<HttpRoute, Settings>.Waiter waiter) {
      this.route = route;
      this.waiter = waiter;
    }

    @Override
    public HttpClientConnection get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, ConnectionPoolTimeoutException {
      try {
        Warm<Settings> warm = waiter.await(timeout <= 0 ? 0 : unit.toNanos(timeout));
        return take(route, waiter, warm, grant -> new HeddleConnection(grant, lost));
      } catch (TimeoutException e) {
        throw new ConnectionPoolTimeoutException(e.getMessage());
      } catch (IllegalStateException | UnsupportedSchemeException e) {
        throw new ExecutionException(e);
      }
    }

    @Override
    public boolean cancel() {
      return waiter.cancel();
    }
  }

  /**
   * Releases a connection and gives up an exchange that has not ended. Idempotent.
   *
   * @param keepAlive how long it may be left open; 0 or negative for as long as Heddle keeps it
   */
  @Override
  public void releaseConnection(
      HttpClientConnection connection,
      @Nullable Object newState,
      long keepAlive,
      @Nullable TimeUnit unit) {
    own(connection).release(newState, kept(keepAlive, unit));
  }

  static Duration kept(long keepAlive, @Nullable TimeUnit unit) {
    return keepAlive <= 0
        ? Clients.FOREVER
        : Settings.limit((unit == null ? TimeUnit.MILLISECONDS : unit).toMillis(keepAlive));
  }

  /** Allows requests on the connection; the first one opens it. */
  @Override
  public void connect(
      HttpClientConnection connection, HttpRoute route, int connectTimeout, HttpContext context) {
    own(connection).connect(connectTimeout);
  }

  /**
   * Does nothing if the route is a tunnel, whose traffic is secured before anything is sent.
   *
   * @throws UnsupportedOperationException for other routes, which are not upgraded
   */
  @Override
  public void upgrade(HttpClientConnection connection, HttpRoute route, HttpContext context) {
    own(connection).upgrade();
  }

  /** Does nothing. */
  @Override
  public void routeComplete(
      HttpClientConnection connection, HttpRoute route, HttpContext context) {}

  /** As {@link #shutdown}. */
  @Override
  public void close() {
    shutdown();
  }
}
