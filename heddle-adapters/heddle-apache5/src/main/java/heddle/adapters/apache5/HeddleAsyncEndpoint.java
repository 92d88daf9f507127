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
 * What an asynchronous request leases. Its exchanges go one after the other, as on a connection of
 * HTTP/1.1, and all at once where HTTP/2 is forced. Safe for use by many threads.
 */
final class HeddleAsyncEndpoint extends AsyncConnectionEndpoint {
  private final HeddleAsyncConnectionManager manager;
  private final Leased leased;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  /** Those that have not ended, in the order in which they were asked for. */
  private final Deque<AsyncExchange> open = new ArrayDeque<>(1);

  private boolean released;

  private volatile @Nullable AsyncExchange current;

  HeddleAsyncEndpoint(HeddleAsyncConnectionManager manager, Leased leased) {
    this.manager = manager;
    this.leased = leased;
  }

  /** What it stands for. */
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
   * What was found out by the last exchange. Before that it says HTTP/1.1 whatever is forced, as
   * Apache gives no timeout to those that share a connection, and ours have one each.
   */
  @Override
  public EndpointInfo getInfo() {
    AsyncExchange known = current;
    return known == null
        ? new EndpointInfo(HttpVersion.HTTP_1_1, null)
        : new EndpointInfo(known.version(), known.tlsSession());
  }

  /** Makes the exchange on a virtual thread. Nothing is ever pushed, as Heddle takes nothing. */
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
      // Closed by another thread since it was looked at.
      exchange.end();
    }
    if (itsTurn) {
      start(exchange);
    }
  }

  /** Answers whether the exchange need not wait for another one. */
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
    Thread.ofVirtual().name("heddle-apache5-call").start(() -> {
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
      manager.released(this);
    }
  }

  /** Gives up all exchanges that have not ended. */
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
    all.forEach(AsyncExchange::end);
  }

  /** Gives the lease back, once. Exchanges that were begun go on, unless it was closed before. */
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
      manager.released(this);
    }
  }

  @Override
  public String toString() {
    return leased.toString();
  }
}
