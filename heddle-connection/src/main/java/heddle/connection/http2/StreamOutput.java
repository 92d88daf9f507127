package heddle.connection.http2;

import heddle.http.Headers;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * Writes what the caller of an extended CONNECT sends (RFC 8441 §5), on the caller's thread. The
 * stream is of no use after a write has failed, of which a part may have been sent.
 */
final class StreamOutput extends OutputStream {
  private final Http2Connection connection;
  private final Http2Exchange exchange;

  /** Wakes a writer when its time is up. */
  private final Timer timer;

  StreamOutput(Http2Connection connection, Http2Exchange exchange) {
    this.connection = connection;
    this.exchange = exchange;
    this.timer = connection.loop().newTimer(exchange::onWritable);
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
    long since = connection.now();
    long until = silence == Deadline.NEVER_NANOS ? silence : since + silence;
    timer.arm(until);
    try {
      while (!exchange.writable && !exchange.isSendingOver()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted while sending");
        }
        connection.loop().park(this, until);
      }
    } finally {
      timer.cancel();
    }
    if (connection.now() >= until) {
      throw new DeadlinePassedException(
          "the server has accepted nothing for " + Duration.ofNanos(connection.now() - since));
    }
  }

  @Override
  public void close() throws IOException {
    if (!exchange.isSendingOver()) {
      connection.queueEnd(exchange, Headers.empty());
      connection.flush.run(false, Deadline.never());
    }
  }
}
