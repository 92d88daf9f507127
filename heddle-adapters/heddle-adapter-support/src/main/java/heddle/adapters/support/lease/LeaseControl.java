package heddle.adapters.support.lease;

import heddle.client.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * The limits, leases and clients of a connection manager, and how it is closed. Its public methods
 * are those of Apache's {@code ConnPoolControl}. Thread-safe.
 *
 * @param <R> routes, with {@code equals}
 * @param <S> settings of clients, with {@code equals}
 * @param <E> what a request leases
 */
public abstract class LeaseControl<R, S, E> {
  /** Limits and queues leases. */
  protected final Leases<R, S> leases;

  private final LeaseClients<S> clients;
  private final Set<E> leased = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param maxTotal at least 1
   * @param maxPerRoute at least 1
   */
  @SuppressWarnings("this-escape") // called when requests are sent
  protected LeaseControl(int maxTotal, int maxPerRoute) {
    leases = new Leases<>(maxTotal, maxPerRoute);
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
  protected final Lease<R, S> lease(Leases<R, S>.Waiter waiter, @Nullable Warm<S> warm) {
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

  // ---- limits

  /** Sets how many connections may be leased at a time, at least 1. */
  public void setMaxTotal(int max) {
    leases.setMaxTotal(max);
    clients.setMaxTotal(max);
  }

  /** How many connections may be leased at a time. */
  public int getMaxTotal() {
    return leases.maxTotal();
  }

  /** Sets the limit of routes without their own, at least 1. */
  public void setDefaultMaxPerRoute(int max) {
    leases.setMaxPerRoute(max);
  }

  /** The limit of routes without their own. */
  public int getDefaultMaxPerRoute() {
    return leases.maxPerRoute();
  }

  /** Sets the limit of one route; a limit below 1 restores the default. */
  public void setMaxPerRoute(R route, int max) {
    leases.setMaxPerRoute(route, max);
  }

  /** The limit of one route. */
  public int getMaxPerRoute(R route) {
    return leases.maxPerRoute(route);
  }

  /** Routes with leased connections, waiting requests, or connections released open. */
  public Set<R> getRoutes() {
    return leases.routes();
  }

  // ---- closing

  /** Closes the connections that have been idle for this time or longer. */
  protected final void closeUnused(Duration unused) {
    long now = System.nanoTime();
    leases.forgetWarm(now - unused.toNanos(), now);
    clients.closeIdle(unused);
  }

  /** Forgets expired connections, which Heddle closes itself. */
  protected final void forgetExpired() {
    long now = System.nanoTime();
    leases.forgetWarm(now - LeaseClients.NO_LIMIT.toNanos(), now);
  }

  /** Whether the manager was closed. */
  public boolean isClosed() {
    return closed.get();
  }

  /** Ends running calls and closes all connections. Idempotent. */
  protected final void closeAll() {
    if (closed.compareAndSet(false, true)) {
      leases.close();
      leased.forEach(this::end);
      clients.close();
    }
  }
}
