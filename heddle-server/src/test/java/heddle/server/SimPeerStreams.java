package heddle.server;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A channel's bytes as streams, for one thread of a simulated world. */
final class SimPeerStreams extends InputStream implements ChannelListener {
  private final Channel channel;
  private final ConcurrentLinkedQueue<byte[]> received = new ConcurrentLinkedQueue<>();
  private byte[] current = {};
  private int at;
  private volatile boolean ended;
  private volatile @Nullable Thread reader;

  SimPeerStreams(Channel channel) {
    this.channel = channel;
    channel.start(this);
  }

  OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        channel.write(ByteBuffer.wrap(bytes, offset, length), Deadline.never());
      }
    };
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    received.add(copy);
    wake();
  }

  @Override
  public void onEnd() {
    ended = true;
    wake();
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    ended = true;
    wake();
  }

  private void wake() {
    Thread waiting = reader;
    if (waiting != null) {
      channel.loop().unpark(waiting);
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (at == current.length) {
      reader = Thread.currentThread();
      Waiting.until(
          () -> ended || !received.isEmpty(), channel.loop(), Deadline.never(), "reading");
      byte[] next = received.poll();
      if (next == null) {
        return -1;
      }
      current = next;
      at = 0;
    }
    int count = Math.min(length, current.length - at);
    System.arraycopy(current, at, target, offset, count);
    at += count;
    return count;
  }

  @Override
  public int available() {
    return received.isEmpty() ? current.length - at : 1;
  }

  @Override
  public void close() {
    channel.close();
  }
}
