package heddle.adapters.support.lease;

import heddle.client.HttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The right to one exchange after the other with a route. Thread-safe.
 *
 * @param <R> routes
 * @param <S> settings of clients
 */
public final class Lease<R, S> {
  private final LeaseClients<S> clients;
  private final Leases<R, S>.Waiter waiter;
  private final AtomicBoolean released = new AtomicBoolean();

  /** The connection that only this lease uses; null for shared connections. */
  private final AtomicReference<@Nullable OwnConnection<S>> own = new AtomicReference<>();

  private volatile boolean connected;

  /**
   * @param waiter was granted
   * @param warm the connection that was left open and is reused; null for none
   */
  public Lease(LeaseClients<S> clients, Leases<R, S>.Waiter waiter, @Nullable Warm<S> warm) {
    this.clients = clients;
    this.waiter = waiter;
    connected = warm != null;
    if (warm != null && warm.own() != null) {
      own.set(warm.own());
    } else if (waiter.owner != null) {
      own.set(new OwnConnection<>(clients));
    }
  }

  /**
   * Returns the client for the next call.
   *
   * @throws IOException if the connection of this lease was closed
   */
  public HttpClient client(S settings) throws IOException {
    OwnConnection<S> mine = own.get();
    return mine == null ? clients.client(settings) : mine.client(settings);
  }

  /**
   * Makes later calls use a connection that only this lease uses: the one that was left open for
   * this owner, because the lease may be released between the steps of a handshake, or a new one.
   */
  public void isolate(Object owner) {
    if (own.get() == null) {
      Warm<S> left = waiter.takeLeft(owner);
      own.set(left == null ? new OwnConnection<>(clients) : left.own());
    }
  }

  /**
   * Allows requests; the first one opens the connection. Returns false if the lease was released.
   */
  public boolean connect() {
    connected = !released.get();
    return connected;
  }

  /**
   * Runs an exchange on a virtual thread. If the callback of another exchange begins it, it may run
   * on the callback's thread, after the callback, unless that takes too long.
   *
   * @param name for a new thread
   */
  public void start(String name, Runnable exchange) {
    waiter.start(name, exchange);
  }

  /** Refuses further requests, and closes the connection if only this lease uses it. */
  public void disconnect() {
    connected = false;
    OwnConnection<S> mine = own.get();
    if (mine != null && !released.get() && own.compareAndSet(mine, new OwnConnection<>(clients))) {
      mine.close();
    }
  }

  /** Whether requests are allowed. */
  public boolean isConnected() {
    return connected;
  }

  /**
   * How a released connection is kept.
   *
   * @param keepAlive how long it may be left open
   * @param idle how long the settings keep idle connections; null for Heddle's default
   * @param age how long the settings keep connections; null for no limit
   * @param tls the configuration it was opened with; null for the manager's
   */
  public record Keeping(
      Duration keepAlive, @Nullable Duration idle, @Nullable Duration age, @Nullable Object tls) {}

  /**
   * Releases the lease, once.
   *
   * @param owner the only one that may get this connection again; null for none
   * @param close gives up an exchange that has not ended
   * @return false if it was released before
   */
  public boolean release(@Nullable Object owner, Keeping keeping, Runnable close) {
    if (!released.compareAndSet(false, true)) {
      return false;
    }
    boolean open = connected;
    close.run();
    OwnConnection<S> mine = own.get();
    if (mine != null && open && owner != null) {
      mine.belongTo(owner);
    } else if (mine != null) {
      mine.close();
      open = false;
    }
    waiter.release(
        open ? Warm.until(keeping.keepAlive, keeping.idle, keeping.age, keeping.tls, mine) : null);
    return true;
  }
}
