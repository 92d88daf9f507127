package heddle.connection;

import heddle.testkit.ManualLoop;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A channel to nobody, which breaks when it is told to. */
final class MuteChannel implements Channel {
  private final ManualLoop loop = new ManualLoop();
  private @Nullable ChannelListener listener;
  private boolean open = true;

  /** The channel is broken by this, which its listener hears. */
  void breakBy(IOException cause) {
    open = false;
    Objects.requireNonNull(listener).onClosed(cause);
  }

  @Override
  public void start(ChannelListener hearer) {
    listener = hearer;
  }

  @Override
  public void write(ByteBuffer buffer, Deadline deadline) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    buffer.position(buffer.limit());
  }

  @Override
  public void write(ByteBuffer[] buffers, Deadline deadline) throws IOException {
    for (ByteBuffer buffer : buffers) {
      write(buffer, deadline);
    }
  }

  @Override
  public void pauseReading() {}

  @Override
  public void resumeReading() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public void close() {
    open = false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public SocketAddress localAddress() {
    return new InetSocketAddress(1);
  }

  @Override
  public SocketAddress remoteAddress() {
    return new InetSocketAddress(2);
  }

  @Override
  public EventLoop loop() {
    return loop;
  }
}
