package heddle.adapters.apache5;

import java.io.IOException;
import org.apache.hc.client5.http.EndpointInfo;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint that a request leases: the right to one exchange after the other with a route. Each
 * exchange takes one of Heddle's connections when it is sent. Used by one thread at a time, except
 * {@link #close}.
 */
final class HeddleEndpoint extends ConnectionEndpoint {
  private final HeddleConnectionManager manager;
  private final Leased leased;

  private volatile Timeout socketTimeout;
  private volatile @Nullable HeddleConnection current;

  HeddleEndpoint(HeddleConnectionManager manager, Leased leased) {
    this.manager = manager;
    this.leased = leased;
    this.socketTimeout = Timeout.of(leased.settings().times().silence());
  }

  /** The lease behind this endpoint. */
  Leased leased() {
    return leased;
  }

  @Override
  public boolean isConnected() {
    return leased.isConnected();
  }

  Timeout socketTimeout() {
    return socketTimeout;
  }

  @Override
  public void setSocketTimeout(Timeout timeout) {
    socketTimeout = timeout;
    leased.setSocketTimeout(timeout);
  }

  @Override
  public EndpointInfo getInfo() {
    HeddleConnection known = current;
    return new EndpointInfo(HttpVersion.HTTP_1_1, known == null ? null : known.getSSLSession());
  }

  @Override
  @SuppressWarnings("deprecation") // Apache's older callers use this executor
  public ClassicHttpResponse execute(
      String id, ClassicHttpRequest request, HttpRequestExecutor executor, HttpContext context)
      throws IOException, HttpException {
    return execute(id, request, executor::execute, context);
  }

  @Override
  public ClassicHttpResponse execute(
      String id, ClassicHttpRequest request, RequestExecutor executor, HttpContext context)
      throws IOException, HttpException {
    if (!leased.isConnected()) {
      throw new ConnectionShutdownException();
    }
    leased.authenticate(Exchange.connectionScheme(request, context));
    HeddleConnection connection = new HeddleConnection(this, context);
    current = connection;
    if (!leased.isConnected()) {
      // Closed by another thread since the last check.
      throw Failures.closed(null);
    }
    ClassicHttpResponse response = executor.execute(request, connection, context);
    connection.executed();
    if (leased.origin().isSecure()) {
      HttpCoreContext.castOrCreate(context).setSSLSession(connection.getSSLSession());
    }
    return response;
  }

  @Override
  public void close() throws IOException {
    close(CloseMode.GRACEFUL);
  }

  @Override
  public void close(CloseMode mode) {
    leased.disconnect();
    HeddleConnection open = current;
    if (open != null) {
      open.end();
    }
  }

  /** Releases the lease, once, and gives up an exchange that has not ended. */
  void release(@Nullable Object owner, @Nullable TimeValue keepAlive) {
    if (leased.release(owner, keepAlive, () -> close(CloseMode.IMMEDIATE))) {
      manager.forgotten(this);
    }
  }

  @Override
  public String toString() {
    return leased.toString();
  }
}
