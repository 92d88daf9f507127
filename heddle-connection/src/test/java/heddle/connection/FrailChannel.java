package heddle.connection;

import heddle.testkit.ManualLoop;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Deadline;
import heddle.transport.WriteProgress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A channel that does with what is written to it what a test says; its loop is driven by hand. */
public final class FrailChannel implements Channel {
  /** What becomes of a write. */
  public interface Writes {
    void write(ByteBuffer[] buffers) throws IOException;
  }

  private final ManualLoop loop = new ManualLoop();
  private final WriteProgress progress = new WriteProgress();
  private final Writes writes;
  private volatile @Nullable ChannelListener listener;
  private volatile boolean open = true;

  /**
   * A channel that is open.
   *
   * @param writes throws where a write fails; what is written is gone otherwise
   */
  public FrailChannel(Writes writes) {
    this.writes = writes;
  }

  /** The listener hears this on the loop, as long as the channel is open. */
  public void bring(byte[] bytes) {
    ChannelListener hearer = Objects.requireNonNull(listener);
    loop.execute(() -> {
      if (open) {
        hearer.onBytes(ByteBuffer.wrap(bytes));
      }
    });
    loop.runPending();
  }

  /** The listener hears on the loop that the peer has ended, as long as the channel is open. */
  public void end() {
    ChannelListener hearer = Objects.requireNonNull(listener);
    loop.execute(() -> {
      if (open) {
        hearer.onEnd();
      }
    });
    loop.runPending();
  }

  /** The channel is broken by this, which its listener hears on the calling thread. */
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
    write(new ByteBuffer[] {buffer}, deadline);
  }

  @Override
  public void write(ByteBuffer[] buffers, Deadline deadline) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    writes.write(buffers);
    for (ByteBuffer buffer : buffers) {
      buffer.position(buffer.limit());
    }
  }

  @Override
  public WriteProgress writeProgress() {
    return progress;
  }

  @Override
  public void pauseReading() {}

  @Override
  public void resumeReading() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public void close() {
    if (open) {
      open = false;
      ChannelListener hearer = listener;
      if (hearer != null) {
        loop.execute(() -> hearer.onClosed(null));
      }
    }
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
  public ManualLoop loop() {
    return loop;
  }
}
