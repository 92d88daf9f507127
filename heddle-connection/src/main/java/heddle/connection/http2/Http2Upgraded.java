package heddle.connection.http2;

import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.DrainNotice;
import heddle.connection.UpgradedStream;
import heddle.http.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** A stream on which a server's handler speaks another protocol (RFC 8441 §5). */
final class Http2Upgraded implements UpgradedStream {
  private final Http2ServerConnection connection;
  private final Http2ServerExchange exchange;
  private final InputStream input;
  private final OutputStream output = new Output();
  private final DrainNotice notice = new DrainNotice();

  /** Whether our end of the stream was sent, or will not be. */
  private final AtomicBoolean outputOver = new AtomicBoolean();

  private final AtomicBoolean over = new AtomicBoolean();

  /** Whether a thread is in the middle of a write. */
  private volatile boolean writing;

  Http2Upgraded(Http2ServerConnection connection, Http2ServerExchange exchange) {
    this.connection = connection;
    this.exchange = exchange;
    this.input = exchange.content.tunnel();
  }

  /** Whether this side has ended or given up both directions. */
  boolean isOver() {
    return over.get();
  }

  /** The server begins to close. */
  void drain() {
    notice.send();
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public void onDrain(Runnable task) {
    notice.set(task);
  }

  @Override
  public void reserve(int bytes) throws IOException {
    exchange.content.reserve(bytes);
  }

  @Override
  public void close() {
    if (over.compareAndSet(false, true)) {
      exchange.content.discard();
      if (writing) {
        outputOver.set(true);
        exchange.resetTunnel(ErrorCode.CANCEL); // Its end would seem to be in order.
      } else {
        endOutput();
        exchange.tunnelEnded();
      }
    }
  }

  private void endOutput() {
    if (outputOver.compareAndSet(false, true)) {
      connection.output.queueEnd(exchange, Headers.empty());
      connection.output.flush();
    }
  }

  @Override
  public void abort() {
    if (over.compareAndSet(false, true)) {
      exchange.content.discard();
      outputOver.set(true);
      exchange.resetTunnel(ErrorCode.CANCEL);
    }
  }

  /** A failed write may have sent some of its bytes, and resets the stream. */
  private final class Output extends OutputStream {
    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      Objects.checkFromIndexSize(offset, size, source.length);
      checkOpen();
      // The session may refer to it until it is written, perhaps by another thread.
      ByteBuffer content = ByteBuffer.wrap(Arrays.copyOfRange(source, offset, offset + size));
      boolean sent = false;
      writing = true;
      try {
        connection.output.sendContent(exchange, content, false);
        connection.output.flush();
        sent = true;
      } catch (IllegalStateException e) {
        checkOpen(); // It was closed meanwhile, so that the session takes no more.
        throw e;
      } finally {
        writing = false;
        if (!sent) {
          abort();
        }
      }
    }

    private void checkOpen() throws IOException {
      if (outputOver.get()) {
        throw new IOException("the output was closed");
      }
    }

    @Override
    public void close() {
      endOutput();
    }
  }
}
