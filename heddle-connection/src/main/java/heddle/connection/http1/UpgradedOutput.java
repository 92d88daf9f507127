package heddle.connection.http1;

import heddle.connection.MinimumRate;
import heddle.connection.TimedWriter;
import heddle.transport.Channel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;

/**
 * Writes to a connection whose server has switched to another protocol (RFC 9110 §7.8). A failed
 * write may have sent some of its bytes, and closes the connection.
 */
final class UpgradedOutput extends OutputStream {
  private final Channel channel;
  private final TimedWriter writer;

  /** The server may accept no byte for {@code silenceNanos}. */
  UpgradedOutput(Channel channel, long silenceNanos) {
    this.channel = channel;
    this.writer = new TimedWriter(channel, Duration.ofNanos(silenceNanos), MinimumRate.OFF);
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int size) throws IOException {
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
    channel.shutdownOutput();
  }
}
