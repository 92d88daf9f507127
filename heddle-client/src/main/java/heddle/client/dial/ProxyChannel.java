package heddle.client.dial;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Deadline;
import heddle.transport.ForwardingChannel;
import heddle.transport.SecureChannel;
import heddle.transport.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A channel to a proxy. First the thread that made it talks with the proxy, reading what the loop
 * brings; once the proxy has opened the way, the channel is the origin's, and what came behind the
 * proxy's last word goes to the listener that {@linkplain #start starts} it.
 */
final class ProxyChannel implements ForwardingChannel, ChannelListener {
  /** How much of what a proxy says may wait for its reader: more is read once that has come. */
  static final int MAX_HELD_BYTES = 64 * 1024;

  private final Channel channel;

  /**
   * Whether the listener gets bytes of its own: what TLS hands on lies where the loop decrypts, and
   * with TLS in the tunnel that is where it would be decrypted to once more.
   */
  private final boolean copies;

  /** The thread that talks with the proxy; null once that is over: the channel outlives its call. */
  private volatile @Nullable Thread reader = Thread.currentThread();

  private final Queue<ByteBuffer> pieces = new ConcurrentLinkedQueue<>();
  private final AtomicInteger heldBytes = new AtomicInteger();

  /** Set before the last piece is added for now, so that the thread that takes it sees it. */
  private volatile boolean paused;

  private volatile boolean ended;
  private volatile boolean closed;

  /** What broke the channel; written before {@code closed} is set. */
  private volatile @Nullable IOException cause;

  /** What the reader has taken and not consumed; the loop's once it is handed over. */
  private ByteBuffer rest = ByteBuffer.allocate(0);

  /** The loop's own: null until the channel is the origin's. */
  private @Nullable ChannelListener listener;

  private ProxyChannel(Channel channel) {
    this.channel = channel;
    this.copies = channel instanceof SecureChannel;
  }

  /** Begins to talk on a channel that was just opened; for the calling thread to read. */
  static ProxyChannel over(Channel channel) {
    ProxyChannel talking = new ProxyChannel(channel);
    channel.start(talking);
    return talking;
  }

  // ---- the reader's side

  /**
   * What the proxy has sent and was not consumed; parks the calling thread until there is
   * something. The caller moves its position over what it consumes.
   *
   * @return null when the proxy has ended its stream
   * @throws heddle.transport.DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IOException what broke the channel
   */
  @Nullable
  ByteBuffer read(Deadline deadline, String what) throws IOException {
    if (rest.hasRemaining()) {
      return rest;
    }
    Waiting.until(() -> !pieces.isEmpty() || ended || closed, loop(), deadline, what);
    ByteBuffer piece = pieces.poll();
    if (piece == null) {
      IOException broken = cause;
      if (broken != null) {
        throw broken;
      }
      return null;
    }
    if (heldBytes.addAndGet(-piece.remaining()) <= MAX_HELD_BYTES && paused) {
      paused = false;
      channel.resumeReading();
    }
    rest = piece;
    return piece;
  }

  /** Whether something has come that was not consumed. */
  boolean hasUnread() {
    return rest.hasRemaining() || !pieces.isEmpty();
  }

  /** Whether the proxy will say no more. */
  boolean hasEnded() {
    return ended || closed;
  }

  // ---- ChannelListener, on the loop

  @Override
  public long contentAhead() {
    ChannelListener hearer = listener;
    return hearer == null ? 0 : hearer.contentAhead();
  }

  @Override
  public int readLimit() {
    ChannelListener hearer = listener;
    return hearer == null ? Integer.MAX_VALUE : hearer.readLimit();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    ChannelListener hearer = listener;
    if (hearer != null) {
      hearer.onBytes(copies ? copy(bytes) : bytes);
      return;
    }
    ByteBuffer piece = copy(bytes);
    if (heldBytes.addAndGet(piece.remaining()) > MAX_HELD_BYTES) {
      paused = true;
      channel.pauseReading();
    }
    pieces.add(piece);
    wakeReader();
  }

  private void wakeReader() {
    Thread waiting = reader;
    if (waiting != null) {
      loop().unpark(waiting);
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
  }

  @Override
  public void onEnd() {
    ended = true;
    ChannelListener hearer = listener;
    if (hearer != null) {
      hearer.onEnd();
    } else {
      wakeReader();
    }
  }

  @Override
  public void onClosed(@Nullable IOException why) {
    IOException first = cause == null ? why : cause;
    cause = first;
    closed = true;
    ChannelListener hearer = listener;
    if (hearer != null) {
      hearer.onClosed(first);
    } else {
      wakeReader();
    }
  }

  // ---- Channel

  @Override
  public void start(ChannelListener newListener) {
    reader = null;
    loop().execute(() -> handOver(newListener));
  }

  private void handOver(ChannelListener newListener) {
    listener = newListener;
    boolean resume = paused;
    paused = false;
    ByteBuffer held = unread();
    if (held.hasRemaining()) {
      deliver(newListener, held);
    }
    if (closed) {
      newListener.onClosed(cause);
      return;
    }
    if (ended) {
      newListener.onEnd();
    }
    if (resume && !paused) {
      channel.resumeReading();
    }
  }

  /** All at once, for a listener that stops reading does so between two pieces. */
  private ByteBuffer unread() {
    int size =
        rest.remaining() + pieces.stream().mapToInt(ByteBuffer::remaining).sum();
    ByteBuffer all = ByteBuffer.allocate(size).put(rest);
    for (ByteBuffer piece = pieces.poll(); piece != null; piece = pieces.poll()) {
      all.put(piece);
    }
    return all.flip();
  }

  private void deliver(ChannelListener newListener, ByteBuffer held) {
    try {
      newListener.onBytes(held);
    } catch (RuntimeException | Error e) {
      // The channel did not call us, so it cannot catch it.
      cause = new IOException("the channel's listener failed", e);
      channel.close();
    }
  }

  @Override
  public Channel target() {
    return channel;
  }

  @Override
  public void pauseReading() {
    paused = true;
    channel.pauseReading();
  }

  @Override
  public void resumeReading() {
    paused = false;
    channel.resumeReading();
  }

  @Override
  public String toString() {
    return "ProxyChannel[" + channel + "]";
  }
}
