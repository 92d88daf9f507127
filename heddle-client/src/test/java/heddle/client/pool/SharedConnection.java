package heddle.client.pool;

import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.http.Request;
import heddle.http.Response;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection that several calls share and whose peer does as the test says. */
final class SharedConnection implements Connection {
  private final ConnectionListener listener;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicInteger looksLeft = new AtomicInteger(Integer.MAX_VALUE);
  private volatile boolean goingAway;
  private volatile int max;

  SharedConnection(ConnectionListener listener, int max) {
    this.listener = listener;
    this.max = max;
  }

  void allow(int exchanges) {
    max = exchanges;
    listener.capacityChanged();
  }

  void goAway() {
    goingAway = true;
    listener.capacityChanged();
  }

  /** Takes no more calls after this many checks; its notification comes too late. */
  void goAwayAfterLooks(int count) {
    looksLeft.set(count);
  }

  boolean isClosed() {
    return closed.get();
  }

  @Override
  public Response send(Request request, Exchange exchange) {
    throw new UnsupportedOperationException("the pool never sends");
  }

  @Override
  public int maxExchanges() {
    return max;
  }

  @Override
  public boolean isMultiplexed() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return looksLeft.getAndDecrement() > 0 && !goingAway && !closed.get();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      listener.closed();
    }
  }
}
