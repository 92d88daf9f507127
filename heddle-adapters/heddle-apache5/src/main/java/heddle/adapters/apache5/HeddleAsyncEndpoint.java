package heddle.adapters.apache5;

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

/** What an asynchronous request leases. Safe for use by many threads, one exchange at a time. */
final class HeddleAsyncEndpoint extends AsyncConnectionEndpoint {
  private final HeddleAsyncConnectionManager manager;
  private final Leased leased;
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
    if (!leased.isConnected()) {
      // Closed by another thread since it was looked at.
      exchange.end();
    }
    Thread.ofVirtual().name("heddle-apache5-call").start(exchange);
  }

  @Override
  public void close(CloseMode mode) {
    leased.disconnect();
    AsyncExchange open = current;
    if (open != null) {
      open.end();
    }
  }

  /** Gives the lease back, once, and what is left of its exchange up. */
  void release(@Nullable TimeValue keepAlive) {
    if (leased.release(keepAlive, () -> close(CloseMode.IMMEDIATE))) {
      manager.released(this);
    }
  }

  @Override
  public String toString() {
    return leased.toString();
  }
}
