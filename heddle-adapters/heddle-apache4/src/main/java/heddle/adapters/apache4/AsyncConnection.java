package heddle.adapters.apache4;

import java.net.InetAddress;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSession;
import org.apache.http.HttpConnectionMetrics;
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
final class AsyncConnection implements ManagedNHttpClientConnection, Leased.Connection {
  private final Leased leased;

  @SuppressWarnings("deprecation") // httpcore has no other context that is thread-safe
  private final HttpContext context = new SyncBasicHttpContext(new BasicHttpContext());

  private final ReentrantLock lock = new ReentrantLock();

  /** Whether an exchange runs, until its handler has the whole response; guarded by the lock. */
  private boolean busy;

  private volatile boolean complete;
  private volatile @Nullable AsyncExchange exchange;

  /**
   * @param complete whether the connection was left open and is reused
   */
  AsyncConnection(Leased leased, boolean complete) {
    this.leased = leased;
    this.complete = complete;
  }

  @Override
  public Leased leased() {
    return leased;
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
      Thread.ofVirtual().name("heddle-apache4-call").start(this::run);
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
  public boolean isOpen() {
    return leased.isConnected();
  }

  /** Whether it was closed. A server that closes is noticed at once. */
  @Override
  public boolean isStale() {
    return !isOpen();
  }

  @Override
  public void close() {
    shutdown();
  }

  @Override
  public void shutdown() {
    leased.shutdown();
    AsyncExchange last = exchange;
    if (last != null) {
      last.stop();
    }
  }

  @Override
  public void setSocketTimeout(int millis) {
    leased.setSocketTimeout(millis);
  }

  @Override
  public int getSocketTimeout() {
    return leased.getSocketTimeout();
  }

  /** Counts exchanges; bytes are not counted, and are -1. */
  @Override
  public HttpConnectionMetrics getMetrics() {
    return leased.metrics;
  }

  @Override
  public String getId() {
    return "heddle-" + Integer.toHexString(System.identityHashCode(this));
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

  @Override
  public @Nullable SSLSession getSSLSession() {
    return leased.tlsSession();
  }

  /** Null: the system chooses the local address. */
  @Override
  public @Nullable InetAddress getLocalAddress() {
    return null;
  }

  @Override
  public int getLocalPort() {
    return -1;
  }

  @Override
  public @Nullable InetAddress getRemoteAddress() {
    return leased.remoteAddress();
  }

  @Override
  public int getRemotePort() {
    return leased.remotePort();
  }

  @Override
  public String toString() {
    return leased.toString();
  }
}
