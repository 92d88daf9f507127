package heddle.connection.http2;

import heddle.http.Headers;
import heddle.http.duplex.DuplexContent;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes to a stream, on the caller's thread: what the caller of an extended CONNECT sends (RFC
 * 8441 §5), or {@link DuplexContent}. A failed write may have sent some of its bytes.
 */
final class StreamOutput extends DuplexContent.Output {
  /**
   * How long a writer stays with a socket that takes nothing, before another thread goes on: what
   * ends the exchange cannot end that wait.
   */
  private static final long FLUSH_NANOS = 100_000_000;

  private final Http2Connection connection;
  private final Http2Exchange exchange;
  private volatile boolean closed;

  StreamOutput(Http2Connection connection, Http2Exchange exchange) {
    this.connection = connection;
    this.exchange = exchange;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int size) throws IOException {
    if (closed) {
      throw new IOException("the content was ended before");
    }
    exchange.sender = Thread.currentThread();
    // The session may refer to it until it is written, perhaps by another thread.
    ByteBuffer payload = ByteBuffer.wrap(Arrays.copyOfRange(source, offset, offset + size));
    while (payload.hasRemaining()) {
      if (exchange.isSendingOver()) {
        throw exchange.sendingOver();
      }
      int taken = connection.queueContent(exchange, payload, false);
      writeOut();
      if (taken > 0) {
        exchange.owner.contentSent();
      } else if (payload.hasRemaining()) {
        awaitWindow();
      }
    }
  }

  private void writeOut() {
    connection.flush.run(false, new Deadline(connection.now() + FLUSH_NANOS));
  }

  /** Parks until the server accepts more, which it must do within the silence that is allowed. */
  private void awaitWindow() throws IOException {
    long silence = exchange.owner.maxSilenceNanos();
    Deadline limit = silence == Deadline.NEVER_NANOS
        ? Deadline.never()
        : new Deadline(connection.now() + silence);
    Waiting.until(
        () -> exchange.writable || exchange.isSendingOver(),
        connection.loop(),
        limit,
        "waiting for the server to open the stream's window");
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (!exchange.isSendingOver()) {
        connection.queueEnd(exchange, Headers.empty());
        writeOut();
        exchange.sent(connection.now());
      }
    } finally {
      exchange.outputOver();
    }
  }

  @Override
  public void abort() {
    if (!exchange.isOver()) {
      connection.sendingFailed(exchange, new IOException("the content was given up"));
      exchange.outputOver();
    }
  }
}
