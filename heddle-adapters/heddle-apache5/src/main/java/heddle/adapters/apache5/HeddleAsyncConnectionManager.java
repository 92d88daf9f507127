package heddle.adapters.apache5;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.MinimalHttpAsyncClient;
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
 * Lets Apache's asynchronous client send its requests over Heddle, each on a virtual thread of its
 * own, on which its producers and consumers are called; they may block it. Apache's own threads do
 * nothing then: one is enough.
 *
 * <pre>{@code
 * CloseableHttpAsyncClient client = HttpAsyncClients.custom()
 *     .setConnectionManager(HeddleAsyncConnectionManager.create())
 *     .setIOReactorConfig(IOReactorConfig.custom().setIoThreadCount(1).build())
 *     .build();
 * }</pre>
 *
 * <p>Limits and options are those of {@link HeddleConnectionManager}. Over TLS, requests are sent
 * over HTTP/2 where the server speaks it, and share a connection then; a {@code TlsConfig} says
 * otherwise by its {@code HttpVersionPolicy}. Safe for use by many threads.
 */
public final class HeddleAsyncConnectionManager extends PoolControl<HeddleAsyncEndpoint>
    implements AsyncClientConnectionManager {
  HeddleAsyncConnectionManager(HeddleConnectionManagerBuilder builder) {
    super(builder, HeddleAsyncEndpoint.class, true);
  }

  /** A manager with the defaults; {@link HeddleConnectionManagerBuilder#buildAsync} for others. */
  public static HeddleAsyncConnectionManager create() {
    return HeddleConnectionManager.builder().buildAsync();
  }

  /**
   * A lease that is asked for; cancelling it gives it up. Where it was there at once, Apache goes
   * on within {@link #lease} and only then notes what to cancel: so cancelling it later ends what
   * is done with it, unless the minimal client does.
   */
  private static final class Lease extends BasicFuture<AsyncConnectionEndpoint> {
    private final Leases.Waiter waiter;
    private final @Nullable FutureCallback<AsyncConnectionEndpoint> callback;
    private volatile @Nullable HeddleAsyncEndpoint taken;

    Lease(Leases.Waiter waiter, @Nullable FutureCallback<AsyncConnectionEndpoint> callback) {
      super(callback);
      this.waiter = waiter;
      this.callback = callback;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      // Before its thread hears of it, which would have the lease fail instead.
      boolean cancelled = super.cancel(mayInterrupt);
      waiter.cancel();
      HeddleAsyncEndpoint used = taken;
      if (used != null && !isOfMinimalClient(callback)) {
        used.close(CloseMode.IMMEDIATE);
      }
      return cancelled;
    }
  }

  /** An endpoint that is connected; cancelling that ends what is done with it, as with a lease. */
  private static final class Connected extends BasicFuture<AsyncConnectionEndpoint> {
    private final HeddleAsyncEndpoint endpoint;
    private final @Nullable FutureCallback<AsyncConnectionEndpoint> callback;

    Connected(
        HeddleAsyncEndpoint endpoint, @Nullable FutureCallback<AsyncConnectionEndpoint> callback) {
      super(callback);
      this.endpoint = endpoint;
      this.callback = callback;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      if (!isOfMinimalClient(callback)) {
        endpoint.close(CloseMode.IMMEDIATE);
      }
      return super.cancel(mayInterrupt);
    }
  }

  /**
   * Whether it is that client which goes on when the callback is told. It cancels what was there at
   * once as soon as it has used it, and has no way to cancel an exchange that has begun.
   */
  private static boolean isOfMinimalClient(
      @Nullable FutureCallback<AsyncConnectionEndpoint> callback) {
    Class<?> asks = callback == null ? null : callback.getClass();
    while (asks != null && asks != MinimalHttpAsyncClient.class) {
      asks = asks.getEnclosingClass();
    }
    return asks != null;
  }

  /**
   * Asks for an endpoint, which is there at once or when others have been released. What goes
   * wrong, the future and the callback are told: an {@link IllegalArgumentException} where Heddle
   * cannot go this way, whose message says why.
   *
   * @param state whose connection it is, which nobody else gets; null for those that all share.
   *     One that was released for an equal state is taken, or else opened
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
    Leases.Waiter waiter = leases.enqueue(route, owner(state));
    Lease lease = new Lease(waiter, callback);
    if (waiter.isGranted()) {
      serve(lease, route, settings, requestTimeout);
    } else {
      Thread.ofVirtual()
          .name("heddle-apache5-lease")
          .start(() -> serve(lease, route, settings, requestTimeout));
    }
    return lease;
  }

  private void serve(
      Lease lease, HttpRoute route, Settings settings, @Nullable Timeout requestTimeout) {
    try {
      Duration limit = Settings.limit(requestTimeout, Settings.NO_LIMIT);
      long nanos = limit.equals(Settings.NO_LIMIT) ? 0 : limit.toNanos();
      Warm warm = lease.waiter.await(nanos);
      HeddleAsyncEndpoint taken = take(route, settings, lease.waiter, warm);
      lease.taken = taken;
      if (!lease.completed(taken)) {
        // Cancelled at the same moment: nobody will give it back.
        taken.release(null, null);
      }
    } catch (TimeoutException e) {
      lease.failed(new ConnectionRequestTimeoutException(e.getMessage()));
    } catch (ExecutionException e) {
      lease.failed(e.getCause() instanceof Exception cause ? cause : e);
    } catch (IOException | IllegalArgumentException e) {
      lease.waiter.release(null);
      lease.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      lease.waiter.cancel();
      lease.failed(e);
    }
  }

  @Override
  HeddleAsyncEndpoint endpoint(Leased lease) {
    return new HeddleAsyncEndpoint(this, lease);
  }

  /**
   * Gives an endpoint back; what is left of its exchange is given up. A connection of its own is
   * left open for the new state alone, or for the scheme that has authenticated it. Idempotent.
   */
  @Override
  public void release(
      AsyncConnectionEndpoint endpoint, @Nullable Object newState, @Nullable TimeValue keepAlive) {
    own(endpoint).release(owner(newState), keepAlive);
  }

  /**
   * From now on requests may be sent on the endpoint; the first opens the connection. A {@code
   * TlsConfig} as the attachment, which is how a client passes its own on, takes the place of the
   * manager's; where it cannot be honoured, the future and the callback are told of an {@link
   * IllegalArgumentException}.
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
    Connected future = new Connected(own, callback);
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
   * Nothing is to be done where the route is a tunnel: what goes through it is secured before
   * anything is sent.
   *
   * @throws UnsupportedOperationException for others, which stay as they are
   */
  @Override
  public void upgrade(
      AsyncConnectionEndpoint endpoint, @Nullable Object attachment, HttpContext context) {
    requireTunnel(own(endpoint).leased());
  }

  /** The same, and tells the callback. */
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
