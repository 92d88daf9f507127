package heddle.adapters.apache5;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.client5.http.EndpointInfo;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.client5.http.nio.AsyncConnectionEndpoint;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.AsyncPushConsumer;
import org.apache.hc.core5.http.nio.HandlerFactory;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint that an asynchronous request leases. Its exchanges run one after the other, as on a
 * connection of HTTP/1.1, or concurrently if HTTP/2 is forced. Thread-safe.
 */
final class HeddleAsyncEndpoint extends AsyncConnectionEndpoint {
  private final HeddleAsyncConnectionManager manager;
  private final Leased leased;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  /** Exchanges that have not ended, in the order in which they were requested. */
  private final Deque<AsyncExchange> open = new ArrayDeque<>(1);

  private boolean released;

  private volatile @Nullable AsyncExchange current;

  HeddleAsyncEndpoint(HeddleAsyncConnectionManager manager, Leased leased) {
    this.manager = manager;
    this.leased = leased;
  }

  /** The lease behind this endpoint. */
  Leased leased() {
    return leased;
  }

  @Override
  public boolean isConnected() {
    return leased.isConnected();
  }

  @Override
  public void setSocketTimeout(Timeout timeout) {
    leased.setSocketTimeout(timeout);
  }

  /**
   * Describes the connection of the last exchange. Before the first, it says HTTP/1.1 even if
   * HTTP/2 is forced: Apache sets no timeout for exchanges that share a connection, but Heddle has
   * one for each.
   */
  @Override
  public EndpointInfo getInfo() {
    AsyncExchange known = current;
    return known == null
        ? new EndpointInfo(HttpVersion.HTTP_1_1, null)
        : new EndpointInfo(known.version(), known.getSSLSession());
  }

  /** Makes the exchange on a virtual thread. Heddle accepts no pushed responses. */
  @Override
  public void execute(
      String id,
      AsyncClientExchangeHandler handler,
      @Nullable HandlerFactory<AsyncPushConsumer> pushHandlers,
      HttpContext context) {
    if (!leased.isConnected()) {
      throw new ConnectionShutdownException();
    }
    AsyncExchange exchange = new AsyncExchange(leased, handler, context);
    current = exchange;
    boolean itsTurn = add(exchange);
    if (!leased.isConnected()) {
      // Closed by another thread since the last check.
      exchange.end();
    }
    if (itsTurn) {
      start(exchange);
    }
  }

  /** Adds an exchange. Returns whether it may start without waiting for another one. */
  private boolean add(AsyncExchange exchange) {
    lock.lock();
    try {
      open.add(exchange);
      return open.size() == 1 || leased.isHttp2Forced();
    } finally {
      lock.unlock();
    }
  }

  private void start(AsyncExchange exchange) {
    leased.start(() -> {
      try {
        exchange.run();
      } finally {
        ended(exchange);
      }
    });
  }

  private void ended(AsyncExchange exchange) {
    AsyncExchange next;
    boolean over;
    lock.lock();
    try {
      open.remove(exchange);
      next = leased.isHttp2Forced() ? null : open.peek();
      over = released && open.isEmpty();
    } finally {
      lock.unlock();
    }
    if (next != null) {
      start(next);
    }
    if (over) {
      manager.forgotten(this);
    }
  }

  /** Ends all exchanges that have not ended. */
  @Override
  public void close(CloseMode mode) {
    leased.disconnect();
    List<AsyncExchange> all;
    lock.lock();
    try {
      all = List.copyOf(open);
    } finally {
      lock.unlock();
    }
    // Those that wait first: the end of the one before would start them.
    all.reversed().forEach(AsyncExchange::end);
  }

  /** Releases the lease, once. Running exchanges continue unless the endpoint was closed before. */
  void release(@Nullable Object owner, @Nullable TimeValue keepAlive) {
    if (!leased.release(owner, keepAlive, leased::disconnect)) {
      return;
    }
    boolean over;
    lock.lock();
    try {
      released = true;
      over = open.isEmpty();
    } finally {
      lock.unlock();
    }
    if (over) {
      manager.forgotten(this);
    }
  }

  @Override
  public String toString() {
    return leased.toString();
  }
}
