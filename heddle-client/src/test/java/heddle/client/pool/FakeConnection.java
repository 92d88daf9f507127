package heddle.client.pool;

import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.http.Request;
import heddle.http.Response;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection that carries nothing and closes when told to. */
final class FakeConnection implements Connection {
  private final Runnable onClosed;
  private final AtomicBoolean closed = new AtomicBoolean();

  FakeConnection(Runnable onClosed) {
    this.onClosed = onClosed;
  }

  @Override
  public Response send(Request request, Exchange exchange) {
    throw new UnsupportedOperationException("the pool never sends");
  }

  @Override
  public boolean isOpen() {
    return !closed.get();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      onClosed.run();
    }
  }
}
