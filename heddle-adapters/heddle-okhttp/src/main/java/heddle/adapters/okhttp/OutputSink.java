package heddle.adapters.okhttp;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.util.concurrent.TimeUnit;
import okio.Buffer;
import okio.Okio;
import okio.Sink;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Where a program writes to a connection: a duplex request's content, or what follows an upgrade.
 * Writes on the program's thread, and reports the events of a request's body. Used by one thread at
 * a time; cancelling the call ends a write.
 */
final class OutputSink implements Sink {
  private final HeddleExchange exchange;
  private final long length;
  private final OperationTimeout limit;
  private final Sink output;

  /** Whether the start of the body was reported. */
  private boolean started;

  private long count;
  private boolean over;
  private boolean closed;

  /**
   * @param length how many bytes must be written; -1 if any number may be
   * @param started whether the start of the body was reported; the first write does it otherwise
   * @param timeoutMillis of each write; 0 for none
   */
  OutputSink(
      HeddleExchange exchange,
      OutputStream output,
      long length,
      boolean started,
      int timeoutMillis) {
    this.exchange = exchange;
    this.length = length;
    this.started = started;
    this.limit = new OperationTimeout(exchange::abort);
    limit.timeout(timeoutMillis, TimeUnit.MILLISECONDS);
    this.output = limit.sink(Okio.sink(output));
  }

  @Override
  public void write(Buffer source, long bytes) throws IOException {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    if (length >= 0 && bytes > length - count) {
      throw new ProtocolException("expected " + length + " bytes but received " + (count + bytes));
    }
    if (!started) {
      started = true;
      exchange.listener().requestBodyStart(exchange.call());
    }
    try {
      output.write(source, bytes);
      count += bytes;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Does nothing: what is written is sent at once. */
  @Override
  public void flush() {}

  @Override
  public Timeout timeout() {
    return limit;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (length >= 0 && count < length) {
      exchange.abort();
      throw failed(new ProtocolException("unexpected end of stream"));
    }
    try {
      output.close();
    } catch (IOException e) {
      throw failed(e);
    }
    end(null);
  }

  private IOException failed(IOException e) {
    IOException explained = exchange.explain(e);
    end(explained);
    return explained;
  }

  private void end(@Nullable IOException failure) {
    if (over) {
      return;
    }
    over = true;
    if (failure == null) {
      exchange.listener().requestBodyEnd(exchange.call(), count);
    } else {
      exchange.abort(); // A part may have been sent.
      exchange.listener().requestFailed(exchange.call(), failure);
    }
    exchange.writingEnded(failure);
  }
}
