package heddle.client.pool;

import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.http.Request;
import heddle.http.Response;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A connection that carries nothing and closes when told to. */
final class FakeConnection implements Connection {
  private final ConnectionListener listener;
  private final AtomicBoolean closed = new AtomicBoolean();

  volatile @Nullable Duration idleHint;
  volatile @Nullable SocketAddress remoteAddress;

  FakeConnection(ConnectionListener listener) {
    this.listener = listener;
  }

  @Override
  public @Nullable Duration idleHint() {
    return idleHint;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public Response send(Request request, Exchange exchange) {
    throw new UnsupportedOperationException("the pool never sends");
  }

  @Override
  public int maxExchanges() {
    return 1;
  }

  @Override
  public boolean isMultiplexed() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return !closed.get();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      listener.closed();
    }
  }
}
