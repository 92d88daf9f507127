package heddle.adapters.support.lease;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * The leases and clients of a connection manager, and how it is closed. Thread-safe.
 *
 * @param <R> routes, with {@code equals}
 * @param <S> settings of clients, with {@code equals}
 * @param <E> what a request leases
 */
public abstract class LeaseControl<R, S, E> extends Leases<R, S> {
  private final LeaseClients<S> clients;
  private final Set<E> leased = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param maxTotal at least 1
   * @param maxPerRoute at least 1
   */
  @SuppressWarnings("this-escape") // called when requests are sent
  protected LeaseControl(int maxTotal, int maxPerRoute) {
    super(maxTotal, maxPerRoute);
    clients = new LeaseClients<>(maxTotal, this::client);
  }

  /** Makes a client that opens at most this many connections. */
  protected abstract HttpClient client(S settings, int connections);

  /** Ends the exchanges of what was leased. */
  protected abstract void end(E taken);

  // ---- leases

  /**
   * The owner of a connection leased with this state. A client certificate is not an owner, because
   * all connections of a manager present the same one.
   */
  protected static @Nullable Object owner(@Nullable Object state) {
    return state instanceof X500Principal ? null : state;
  }

  /**
   * A lease that was granted.
   *
   * @param warm the connection that was left open and is reused; null for none
   */
  protected final Lease<R, S> lease(Waiter waiter, @Nullable Warm<S> warm) {
    return new Lease<>(clients, waiter, warm);
  }

  /** Notes what was leased, and returns it. Ends it if the manager was closed meanwhile. */
  protected final <T extends E> T taken(T taken) {
    leased.add(taken);
    if (closed.get()) {
      end(taken);
    }
    return taken;
  }

  /** Called when what was leased was released, and its exchanges have ended. */
  protected final void forget(E released) {
    leased.remove(released);
  }

  @Override
  public void setMaxTotal(int max) {
    super.setMaxTotal(max);
    clients.setMaxTotal(max);
  }

  // ---- closing

  /** Closes the connections that have been idle for this time or longer. */
  protected final void closeUnused(Duration unused) {
    long now = System.nanoTime();
    forgetWarm(now - unused.toNanos(), now);
    clients.closeIdle(unused);
  }

  /** Forgets expired connections, which Heddle closes itself. */
  protected final void forgetExpired() {
    long now = System.nanoTime();
    forgetWarm(now - Clients.FOREVER.toNanos(), now);
  }

  /** Whether the manager was closed. */
  public boolean isClosed() {
    return closed.get();
  }

  /** Ends running calls and closes all connections. Idempotent. */
  protected final void closeAll() {
    if (closed.compareAndSet(false, true)) {
      closeLeases();
      leased.forEach(this::end);
      clients.close();
    }
  }
}
