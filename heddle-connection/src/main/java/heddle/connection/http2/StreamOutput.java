package heddle.connection.http2;

import heddle.http.Headers;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes what the caller of an extended CONNECT sends (RFC 8441 §5), on the caller's thread. A
 * failed write may have sent some of its bytes.
 */
final class StreamOutput extends OutputStream {
  private final Http2Connection connection;
  private final Http2Exchange exchange;

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
    exchange.sender = Thread.currentThread();
    // The session may refer to it until it is written, perhaps by another thread.
    ByteBuffer payload = ByteBuffer.wrap(Arrays.copyOfRange(source, offset, offset + size));
    while (payload.hasRemaining()) {
      if (exchange.isSendingOver()) {
        throw new IOException("the stream has ended");
      }
      int taken = connection.queueContent(exchange, payload, false);
      connection.flush.run(false, Deadline.never());
      if (taken == 0 && payload.hasRemaining()) {
        awaitWindow();
      }
    }
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
    if (!exchange.isSendingOver()) {
      connection.queueEnd(exchange, Headers.empty());
      connection.flush.run(false, Deadline.never());
    }
  }
}
