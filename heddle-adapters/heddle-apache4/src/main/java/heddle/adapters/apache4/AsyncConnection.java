package heddle.adapters.apache4;

import java.util.concurrent.locks.ReentrantLock;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.nio.conn.ManagedNHttpClientConnection;
import org.apache.http.nio.protocol.HttpAsyncClientExchangeHandler;
import org.apache.http.nio.protocol.HttpAsyncRequestExecutor;
import org.apache.http.nio.reactor.IOSession;
import org.apache.http.protocol.BasicHttpContext;
import org.apache.http.protocol.HttpContext;
import org.apache.http.protocol.SyncBasicHttpContext;
import org.jspecify.annotations.Nullable;

/**
 * The connection that an exchange handler sees. When the handler requests output, it gets a virtual
 * thread, which makes one exchange. Thread-safe.
 */
final class AsyncConnection extends Leased implements ManagedNHttpClientConnection {
  @SuppressWarnings("deprecation") // httpcore has no other context that is thread-safe
  private final HttpContext context = new SyncBasicHttpContext(new BasicHttpContext());

  private final ReentrantLock lock = new ReentrantLock();

  /** Whether an exchange runs, until its handler has the whole response; guarded by the lock. */
  private boolean busy;

  private volatile boolean complete;
  private volatile @Nullable AsyncExchange exchange;

  AsyncConnection(Grant grant) {
    super(grant);
    complete = isOpen();
  }

  boolean isComplete() {
    return complete;
  }

  void complete() {
    complete = true;
  }

  // ---- exchanges

  /** Begins an exchange unless one is running. */
  @Override
  public void requestOutput() {
    boolean handled = context.getAttribute(HttpAsyncRequestExecutor.HTTP_HANDLER)
        instanceof HttpAsyncClientExchangeHandler;
    if (handled && begin()) {
      start(this::run);
    }
  }

  private boolean begin() {
    lock.lock();
    try {
      boolean begins = !busy;
      busy = true;
      return begins;
    } finally {
      lock.unlock();
    }
  }

  /** Called when the next exchange may begin. */
  void end() {
    lock.lock();
    try {
      busy = false;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    if (context.getAttribute(HttpAsyncRequestExecutor.HTTP_HANDLER)
        instanceof HttpAsyncClientExchangeHandler handler) {
      AsyncExchange next = new AsyncExchange(this, handler);
      exchange = next;
      next.run();
    } else {
      end();
    }
  }

  @Override
  public void suspendOutput() {}

  @Override
  public void requestInput() {}

  @Override
  public void suspendInput() {}

  @Override
  public void submitRequest(HttpRequest request) {
    throw new UnsupportedOperationException(
        "requests of this adapter come from the exchange handler of the connection");
  }

  @Override
  public boolean isRequestSubmitted() {
    return getHttpRequest() != null;
  }

  @Override
  public void resetOutput() {}

  @Override
  public void resetInput() {}

  @Override
  public @Nullable HttpRequest getHttpRequest() {
    AsyncExchange last = exchange;
    return last == null ? null : last.request();
  }

  @Override
  public @Nullable HttpResponse getHttpResponse() {
    AsyncExchange last = exchange;
    return last == null ? null : last.response();
  }

  // ---- properties

  @Override
  public HttpContext getContext() {
    return context;
  }

  @Override
  public int getStatus() {
    return isOpen() ? ACTIVE : CLOSED;
  }

  @Override
  public void shutdown() {
    super.shutdown();
    AsyncExchange last = exchange;
    if (last != null) {
      last.stop();
    }
  }

  /**
   * @throws UnsupportedOperationException always
   */
  @Override
  public void bind(IOSession session) {
    throw new UnsupportedOperationException("connections of this adapter have no I/O session");
  }

  @Override
  public @Nullable IOSession getIOSession() {
    return null;
  }
}
