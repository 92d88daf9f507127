package heddle.adapters.okhttp;

import heddle.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import okio.Buffer;
import okio.Okio;
import okio.Sink;
import okio.Socket;
import okio.Source;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose server has switched to another protocol, such as that of web sockets. Closed
 * when its source and its sink are. Each may be used by one thread at a time; {@link #cancel} by
 * any.
 */
final class UpgradedSocket implements Socket {
  private final HeddleExchange exchange;
  private final Source source;
  private final Sink sink;

  /**
   * @param response whose content is what the server sends
   * @param output for what the program sends
   * @param readTimeoutMillis of each read; 0 for none
   * @param writeTimeoutMillis the same of writes
   */
  UpgradedSocket(
      HeddleExchange exchange,
      Response response,
      OutputStream output,
      int readTimeoutMillis,
      int writeTimeoutMillis)
      throws IOException {
    this.exchange = exchange;
    this.source = new Input(response, readTimeoutMillis);
    this.sink = new OutputSink(exchange, output, -1, false, writeTimeoutMillis);
  }

  @Override
  public Source getSource() {
    return source;
  }

  @Override
  public Sink getSink() {
    return sink;
  }

  @Override
  public void cancel() {
    exchange.abort();
  }

  /** Reports the events of a response's body. */
  private final class Input implements Source {
    private final OperationTimeout limit = new OperationTimeout(exchange::abort);
    private final Source content;
    private long count;
    private boolean started;
    private boolean over;
    private boolean closed;

    Input(Response response, int timeoutMillis) throws IOException {
      limit.timeout(timeoutMillis, TimeUnit.MILLISECONDS);
      content = limit.source(Okio.source(response.body().stream()));
    }

    @Override
    public long read(Buffer target, long bytes) throws IOException {
      if (closed) {
        throw new IllegalStateException("closed");
      }
      long read;
      try {
        read = content.read(target, bytes);
      } catch (IOException e) {
        IOException explained = exchange.explain(e);
        end(explained);
        throw explained;
      }
      start();
      if (read < 0) {
        end(null);
      } else {
        count += read;
      }
      return read;
    }

    private void start() {
      if (!started) {
        started = true;
        exchange.listener().responseBodyStart(exchange.call());
      }
    }

    private void end(@Nullable IOException failure) {
      if (over) {
        return;
      }
      over = true;
      if (failure == null) {
        start();
        exchange.listener().responseBodyEnd(exchange.call(), count);
      } else {
        exchange.listener().responseFailed(exchange.call(), failure);
      }
      exchange.ended(failure);
    }

    @Override
    public Timeout timeout() {
      return limit;
    }

    @Override
    public void close() {
      closed = true;
      end(null);
    }
  }
}
