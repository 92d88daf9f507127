package heddle.adapters.apache5;

import heddle.adapters.support.Clients;
import heddle.adapters.support.lease.Leases;
import heddle.adapters.support.lease.Warm;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.MinimalHttpAsyncClient;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.client5.http.nio.AsyncConnectionEndpoint;
import org.apache.hc.core5.concurrent.BasicFuture;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ConnectionInitiator;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of Apache's asynchronous client over Heddle. Each request runs on a virtual
 * thread, which calls its producers, consumers and callbacks; they may block. A request that a
 * callback sends may run on the same thread, after the callback; if that takes more than a few
 * milliseconds, on another. Apache's own threads do nothing then: one is enough.
 *
 * <pre>{@code
 * CloseableHttpAsyncClient client = HttpAsyncClients.custom()
 *     .setConnectionManager(HeddleAsyncConnectionManager.create())
 *     .setIOReactorConfig(IOReactorConfig.custom().setIoThreadCount(1).build())
 *     .build();
 * }</pre>
 *
 * <p>Limits and options are those of {@link HeddleConnectionManager}. Over TLS, requests use HTTP/2
 * and share a connection if the server supports it, unless the {@code HttpVersionPolicy} of a
 * {@code TlsConfig} says otherwise. Thread-safe.
 */
public final class HeddleAsyncConnectionManager extends PoolControl<HeddleAsyncEndpoint>
    implements AsyncClientConnectionManager {
  private static final String MINIMAL_CLIENT = MinimalHttpAsyncClient.class.getName();

  HeddleAsyncConnectionManager(ConnectionManagerBuilder<?> builder) {
    super(builder, HeddleAsyncEndpoint.class, true);
  }

  /**
   * Returns a manager with the defaults. Use {@link HeddleConnectionManagerBuilder#buildAsync} for
   * other settings.
   */
  public static HeddleAsyncConnectionManager create() {
    return HeddleConnectionManager.builder().buildAsync();
  }

  /**
   * A requested lease or connected endpoint; cancelling it gives up the lease and ends the
   * exchanges of the endpoint. If a lease is granted at once, Apache continues within {@link
   * #lease} and only then registers what to cancel. So cancelling it later ends the exchange,
   * except with the minimal client.
   */
  private static final class Granted extends BasicFuture<AsyncConnectionEndpoint> {
    private final Leases<HttpRoute, Settings>.@Nullable Waiter waiter;
    private final @Nullable FutureCallback<AsyncConnectionEndpoint> callback;
    private volatile @Nullable HeddleAsyncEndpoint taken;

    Granted(
        Leases<HttpRoute, Settings>.@Nullable Waiter waiter,
        @Nullable HeddleAsyncEndpoint taken,
        @Nullable FutureCallback<AsyncConnectionEndpoint> callback) {
      super(callback);
      this.waiter = waiter;
      this.taken = taken;
      this.callback = callback;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      // Before the waiting thread learns of it and fails the future instead.
      boolean cancelled = super.cancel(mayInterrupt);
      if (waiter != null) {
        waiter.cancel();
      }
      HeddleAsyncEndpoint used = taken;
      if (used != null && !isOfMinimalClient(callback)) {
        used.close(CloseMode.IMMEDIATE);
      }
      return cancelled;
    }
  }

  /**
   * Whether the callback is the minimal client's. That client cancels a lease that was granted at
   * once as soon as it has used it, and cannot cancel an exchange that has begun.
   */
  private static boolean isOfMinimalClient(
      @Nullable FutureCallback<AsyncConnectionEndpoint> callback) {
    // Much cheaper than to look at the enclosing classes.
    return callback != null && callback.getClass().getName().startsWith(MINIMAL_CLIENT);
  }

  /**
   * Requests an endpoint, which is granted at once or when others are released. The future and the
   * callback fail with an {@link IllegalArgumentException} if Heddle cannot use this route; its
   * message says why.
   *
   * @param state owner of the connection, which no other owner gets; null for shared connections. A
   *     connection released with an equal state is reused, otherwise a new one is opened
   * @throws IllegalStateException if the manager is closed
   */
  @Override
  public Future<AsyncConnectionEndpoint> lease(
      String id,
      HttpRoute route,
      @Nullable Object state,
      @Nullable Timeout requestTimeout,
      @Nullable FutureCallback<AsyncConnectionEndpoint> callback) {
    Settings settings;
    try {
      Settings.requireHonourable(route);
      settings = routes.settings(route);
    } catch (IllegalArgumentException e) {
      BasicFuture<AsyncConnectionEndpoint> refused = new BasicFuture<>(callback);
      refused.failed(e);
      return refused;
    }
    Leases<HttpRoute, Settings>.Waiter waiter = enqueue(route, owner(state));
    Granted lease = new Granted(waiter, null, callback);
    if (waiter.isGranted()) {
      serve(lease, waiter, route, settings);
    } else {
      Duration limit = Settings.limit(requestTimeout, Clients.FOREVER);
      long nanos = limit.equals(Clients.FOREVER) ? 0 : limit.toNanos();
      Runnable serving = () -> serve(lease, waiter, route, settings);
      // What the minimal client's caller does with its endpoint may block the thread.
      waiter.whenOver(
          nanos, isOfMinimalClient(callback) ? () -> Thread.ofVirtual().start(serving) : serving);
    }
    return lease;
  }

  private void serve(
      Granted lease,
      Leases<HttpRoute, Settings>.Waiter waiter,
      HttpRoute route,
      Settings settings) {
    try {
      Warm<Settings> warm = waiter.await(0);
      HeddleAsyncEndpoint taken = take(route, settings, waiter, warm);
      lease.taken = taken;
      if (!lease.completed(taken)) {
        // Cancelled at the same moment, so the caller will not release it.
        taken.release(null, null);
      }
    } catch (TimeoutException e) {
      lease.failed(new ConnectionRequestTimeoutException(e.getMessage()));
    } catch (CancellationException e) {
      lease.failed(new RequestFailedException(e.getMessage()));
    } catch (IllegalStateException e) {
      lease.failed(e);
    } catch (IOException | IllegalArgumentException e) {
      waiter.release(null);
      lease.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      waiter.cancel();
      lease.failed(e);
    }
  }

  @Override
  HeddleAsyncEndpoint endpoint(Leased lease) {
    return new HeddleAsyncEndpoint(this, lease);
  }

  /**
   * Releases an endpoint and gives up an exchange that has not ended. A connection with an owner
   * stays open only for the new state, or for the scheme that has authenticated it. Idempotent.
   */
  @Override
  public void release(
      AsyncConnectionEndpoint endpoint, @Nullable Object newState, @Nullable TimeValue keepAlive) {
    own(endpoint).release(owner(newState), keepAlive);
  }

  /**
   * Allows requests on the endpoint; the first one opens the connection. A {@code TlsConfig} as the
   * attachment, which is how a client passes on its own, replaces the manager's. If it cannot be
   * honoured, the future and the callback fail with an {@link IllegalArgumentException}.
   */
  @Override
  public Future<AsyncConnectionEndpoint> connect(
      AsyncConnectionEndpoint endpoint,
      ConnectionInitiator initiator,
      @Nullable Timeout connectTimeout,
      @Nullable Object attachment,
      HttpContext context,
      @Nullable FutureCallback<AsyncConnectionEndpoint> callback) {
    HeddleAsyncEndpoint own = own(endpoint);
    Granted future = new Granted(null, own, callback);
    if (attachment instanceof TlsConfig config) {
      try {
        own.leased().secureAs(config);
      } catch (IllegalArgumentException e) {
        future.failed(e);
        return future;
      }
    }
    own.leased().connect(connectTimeout);
    future.completed(endpoint);
    return future;
  }

  /**
   * Does nothing if the route is a tunnel, whose traffic is secured before anything is sent.
   *
   * @throws UnsupportedOperationException for other routes, which are not upgraded
   */
  @Override
  public void upgrade(
      AsyncConnectionEndpoint endpoint, @Nullable Object attachment, HttpContext context) {
    own(endpoint).leased().upgrade();
  }

  /** As above, and completes the callback. */
  @Override
  public void upgrade(
      AsyncConnectionEndpoint endpoint,
      @Nullable Object attachment,
      HttpContext context,
      @Nullable FutureCallback<AsyncConnectionEndpoint> callback) {
    upgrade(endpoint, attachment, context);
    if (callback != null) {
      callback.completed(endpoint);
    }
  }
}
