package heddle.testkit;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.WriteProgress;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A channel without a peer: a test decides what becomes of what is written, and what arrives. Its
 * loop is driven by hand.
 *
 * <pre>{@code
 * ManualChannel channel = new ManualChannel(buffers -> {});
 * channel.start(listener);
 * channel.bring(bytes);
 * }</pre>
 */
public final class ManualChannel implements Channel {
  /** What becomes of a write. */
  @FunctionalInterface
  public interface Writes {
    /** Takes what is written, which counts as written unless this throws. */
    void write(ByteBuffer[] buffers) throws IOException;
  }

  private final ManualLoop loop;
  private final WriteCounter progress = new WriteCounter();
  private final Writes writes;
  private volatile @Nullable ChannelListener listener;
  private volatile boolean open = true;

  /**
   * A channel that is open.
   *
   * @param writes throws where a write fails; what is written is gone otherwise
   */
  public ManualChannel(Writes writes) {
    this(new ManualLoop(), writes);
  }

  /** Like {@link #ManualChannel(Writes)}, on a loop that the test has already. */
  public ManualChannel(ManualLoop loop, Writes writes) {
    this.loop = loop;
    this.writes = writes;
  }

  /** Brings bytes, which the listener hears on the loop if the channel is open. */
  public void bring(byte[] bytes) {
    ChannelListener hearer = Objects.requireNonNull(listener);
    loop.execute(() -> {
      if (open) {
        hearer.onBytes(ByteBuffer.wrap(bytes));
      }
    });
    loop.runPending();
  }

  /** Ends the input, which the listener hears on the loop if the channel is open. */
  public void end() {
    ChannelListener hearer = Objects.requireNonNull(listener);
    loop.execute(() -> {
      if (open) {
        hearer.onEnd();
      }
    });
    loop.runPending();
  }

  /**
   * Breaks the channel, which its listener hears on the calling thread.
   *
   * @param cause null as for a channel that was closed
   */
  public void breakBy(@Nullable IOException cause) {
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
