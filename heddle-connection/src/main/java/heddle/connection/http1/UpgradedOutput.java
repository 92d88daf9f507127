package heddle.connection.http1;

import heddle.transport.Channel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/**
 * Writes to a connection that has switched to another protocol (RFC 9110 §7.8). A failed write may
 * have sent some of its bytes, and closes the connection. For use by one thread at a time.
 */
final class UpgradedOutput extends OutputStream {
  /** Writes to the channel. */
  @FunctionalInterface
  interface Writer {
    /** Returns when all of it is written, and throws if the peer accepts nothing for too long. */
    void write(ByteBuffer content) throws IOException;
  }

  private final Channel channel;
  private final Writer writer;
  private final Runnable onClose;
  private boolean closed;

  /** {@code onClose} ends the channel's output; called once. */
  UpgradedOutput(Channel channel, Writer writer, Runnable onClose) {
    this.channel = channel;
    this.writer = writer;
    this.onClose = onClose;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int size) throws IOException {
    if (closed) {
      throw new IOException("the output was closed before");
    }
    boolean done = false;
    try {
      writer.write(ByteBuffer.wrap(source, offset, size));
      done = true;
    } catch (ClosedChannelException e) {
      throw new IOException("the connection is closed", e);
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }
}
