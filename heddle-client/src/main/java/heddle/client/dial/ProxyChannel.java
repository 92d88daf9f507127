package heddle.client.dial;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.ForwardingChannel;
import heddle.transport.SecureChannel;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A channel to a proxy. First, the thread that created it performs the handshake with the proxy and
 * reads what the loop receives. After the handshake the channel leads to the origin: bytes that
 * followed the proxy's last answer go to the listener with which it is {@linkplain #start started}.
 */
final class ProxyChannel implements ForwardingChannel, ChannelListener {
  /** How many bytes from the proxy may wait for the reader; then reading pauses. */
  static final int MAX_HELD_BYTES = 64 * 1024;

  private final Channel channel;

  /**
   * Whether the listener gets copies: bytes that TLS delivers are in the loop's buffer for
   * decrypted data, into which TLS in the tunnel would decrypt them once more.
   */
  private final boolean copies;

  /** The thread that performs the handshake; null after it, since the channel outlives the call. */
  private volatile @Nullable Thread reader = Thread.currentThread();

  private final Queue<ByteBuffer> pieces = new ConcurrentLinkedQueue<>();
  private final AtomicInteger heldBytes = new AtomicInteger();

  /** Set before the last piece is added, so that the reader that takes that piece sees it. */
  private volatile boolean paused;

  private volatile boolean ended;
  private volatile boolean closed;

  /** What broke the channel; written before {@code closed} is set. */
  private volatile @Nullable IOException cause;

  /** What the reader has taken and not consumed; used by the loop after the handover. */
  private ByteBuffer rest = ByteBuffer.allocate(0);

  /** Used by the loop only; null until the handshake is over. */
  private @Nullable ChannelListener listener;

  private ProxyChannel(Channel channel) {
    this.channel = channel;
    this.copies = channel instanceof SecureChannel;
  }

  /** Starts a channel that was just opened; the calling thread reads from it. */
  static ProxyChannel over(Channel channel) {
    ProxyChannel talking = new ProxyChannel(channel);
    channel.start(talking);
    return talking;
  }

  // ---- the reader's side

  /**
   * The unconsumed bytes from the proxy; parks the calling thread until there are some. The caller
   * advances the buffer's position over what it consumes.
   *
   * @return null if the proxy has ended its stream
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

  /** Whether there are unconsumed bytes. */
  boolean hasUnread() {
    return rest.hasRemaining() || !pieces.isEmpty();
  }

  /** Whether the proxy will send no more. */
  boolean hasEnded() {
    return ended || closed;
  }

  // ---- ChannelListener, on the loop

  @Override
  public long contentAhead() {
    ChannelListener target = listener;
    return target == null ? 0 : target.contentAhead();
  }

  @Override
  public int readLimit() {
    ChannelListener target = listener;
    return target == null ? Integer.MAX_VALUE : target.readLimit();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    ChannelListener target = listener;
    if (target != null) {
      target.onBytes(copies ? copy(bytes) : bytes);
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
    ChannelListener target = listener;
    if (target != null) {
      target.onEnd();
    } else {
      wakeReader();
    }
  }

  @Override
  public void onClosed(@Nullable IOException why) {
    IOException first = cause == null ? why : cause;
    cause = first;
    closed = true;
    ChannelListener target = listener;
    if (target != null) {
      target.onClosed(first);
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
    try {
      if (held.hasRemaining()) {
        newListener.onBytes(held);
      }
    } catch (RuntimeException | Error e) {
      // The channel cannot catch it, since it did not call us.
      cause = new IOException("the channel's listener failed", e);
      channel.close();
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

  /** In one piece, because a listener that pauses reading does so between two pieces. */
  private ByteBuffer unread() {
    int size =
        rest.remaining() + pieces.stream().mapToInt(ByteBuffer::remaining).sum();
    ByteBuffer all = ByteBuffer.allocate(size).put(rest);
    for (ByteBuffer piece = pieces.poll(); piece != null; piece = pieces.poll()) {
      all.put(piece);
    }
    return all.flip();
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
