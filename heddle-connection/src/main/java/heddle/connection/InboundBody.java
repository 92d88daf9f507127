package heddle.connection;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message that is still arriving. The loop appends to it and one thread reads it.
 * When more than a bound waits to be read, the source is told to pause.
 *
 * <p>No wake-up is lost: the loop publishes what it has (queue, {@code terminal}) and then looks
 * for a reader; the reader announces itself and then looks again at what there is.
 */
public final class InboundBody extends Body {
  /** Above this many unread bytes the source pauses, at or below the other it goes on. */
  private static final int PAUSE_BYTES = 256 * 1024;

  private static final int RESUME_BYTES = 64 * 1024;

  /** Where the bytes come from, and who must know when they have been read. */
  public interface Source {
    /** On the loop: too much is unread. */
    void pause();

    /** From any thread: more may come. */
    void resume();

    /** On the reader's thread: all has been read, or had arrived when the body was closed. Once. */
    void consumed();

    /** On the reader's thread: nobody will read the rest. Once, instead of {@link #consumed}. */
    void abandoned();

    /** On the reader's thread: what to throw for a failure, made anew for each who hears of it. */
    IOException explain(Exception failure);
  }

  private final Source source;
  private final EventLoop loop;
  private final long length;
  private final Headers headers;

  private final Queue<byte[]> chunks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unread = new AtomicInteger();
  private volatile boolean paused;

  /** Written last by the loop: trailers when the content is complete, else what broke it. */
  private volatile @Nullable Object terminal;

  private volatile @Nullable Thread reader;
  private final AtomicBoolean opened = new AtomicBoolean();
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * @param loop appends to the body
   * @param length the length announced, or {@link Body#UNKNOWN}
   * @param headers the message's, for the media type
   */
  public InboundBody(Source source, EventLoop loop, long length, Headers headers) {
    this.source = source;
    this.loop = loop;
    this.length = length;
    this.headers = headers;
  }

  /** On the loop: more content; copied. */
  public void append(ByteBuffer bytes) {
    byte[] chunk = new byte[bytes.remaining()];
    bytes.get(chunk);
    chunks.add(chunk);
    if (unread.addAndGet(chunk.length) > PAUSE_BYTES && !paused) {
      // In this order, so that a reader who sees that it is paused resumes what has been paused.
      source.pause();
      paused = true;
      resumeIfRead();
    }
    wakeReader();
  }

  /** On the loop: the content is complete. */
  public void end(Headers trailers) {
    terminate(trailers);
  }

  /** On the loop: the content will not be complete. Nothing happens if it is already. */
  public void fail(Exception cause) {
    terminate(cause);
  }

  private void terminate(Object end) {
    if (terminal == null) {
      terminal = end;
      wakeReader();
    }
  }

  private void wakeReader() {
    Thread thread = reader;
    if (thread != null) {
      loop.unpark(thread);
    }
  }

  private void resumeIfRead() {
    if (paused && unread.get() <= RESUME_BYTES) {
      paused = false;
      source.resume();
    }
  }

  /** What comes after this content must not wait for its unread bytes, which nobody will read. */
  private void resumeForNext() {
    if (paused) {
      paused = false;
      source.resume();
    }
  }

  /** Whether all content has arrived, read or not. */
  public boolean isComplete() {
    return terminal instanceof Headers;
  }

  /**
   * The trailer fields.
   *
   * @throws IllegalStateException before the content is complete
   */
  public Headers trailers() {
    if (terminal instanceof Headers trailers) {
      return trailers;
    }
    throw new IllegalStateException(
        "trailers are known only when the body has been read to its end");
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return false;
  }

  @Override
  public @Nullable MediaType mediaType() {
    return mediaTypeOf(headers);
  }

  static @Nullable MediaType mediaTypeOf(Headers headers) {
    String value = headers.first(HeaderName.CONTENT_TYPE);
    if (value == null) {
      return null;
    }
    try {
      return MediaType.parse(value);
    } catch (IllegalArgumentException e) {
      // A peer's nonsense here is no reason to withhold the content: RFC 9110 §8.3 lets the
      // recipient treat it as unknown.
      return null;
    }
  }

  @Override
  public InputStream stream() {
    if (!opened.compareAndSet(false, true)) {
      throw new IllegalStateException("the body has been read already; it can be read once");
    }
    return new Reading();
  }

  @Override
  public void close() {
    finish(isComplete());
  }

  private void finish(boolean consumed) {
    if (over.compareAndSet(false, true)) {
      if (consumed) {
        resumeForNext();
        source.consumed();
      } else {
        source.abandoned();
      }
    }
  }

  /** Parks until there is a chunk; null at the end. */
  private byte @Nullable [] awaitChunk() throws IOException {
    byte[] chunk = chunks.poll();
    if (chunk == null) {
      reader = Thread.currentThread();
      chunk = parkForChunk();
      reader = null;
    }
    if (chunk != null) {
      unread.addAndGet(-chunk.length);
      resumeIfRead();
    }
    return chunk;
  }

  private byte @Nullable [] parkForChunk() throws IOException {
    while (true) {
      Object end = terminal;
      byte[] chunk = chunks.poll();
      if (chunk != null) {
        return chunk;
      }
      if (end instanceof Exception failure) {
        finish(false);
        throw source.explain(failure);
      }
      if (end != null) {
        finish(true);
        return null;
      }
      resumeIfRead();
      if (Thread.currentThread().isInterrupted()) {
        finish(false);
        throw new InterruptedIOException("interrupted while reading a body");
      }
      LockSupport.park(this);
    }
  }

  /** Used by one thread. */
  private final class Reading extends InputStream {
    private byte[] chunk = new byte[0];
    private int position;
    private boolean atEnd;

    @Override
    public int read() throws IOException {
      return hasMore() ? chunk[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      if (!hasMore()) {
        return -1;
      }
      int copied = Math.min(count, chunk.length - position);
      System.arraycopy(chunk, position, target, offset, copied);
      position += copied;
      return copied;
    }

    private boolean hasMore() throws IOException {
      while (position == chunk.length && !atEnd) {
        if (over.get()) {
          throw new IOException("the body is closed");
        }
        byte[] next = awaitChunk();
        atEnd = next == null;
        chunk = next == null ? new byte[0] : next;
        position = 0;
      }
      return !atEnd;
    }

    @Override
    public int available() {
      return chunk.length - position;
    }

    @Override
    public void close() {
      InboundBody.this.close();
    }
  }
}
