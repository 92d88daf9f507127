package heddle.connection;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.transport.EventLoop;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message that is still arriving, a request's or a response's. The loop appends to
 * it and one thread reads it. While more than a bound waits to be read, the source is paused. The
 * connection keeps its timeouts and {@linkplain #fail fails} it.
 */
public final class InboundBody extends Body {
  /** The source of the bytes, which is notified of what becomes of them. */
  public interface Source {
    /** On the loop, and under the queue's lock: too much is unread. Must not block. */
    void pause();

    /** From any thread, and under the queue's lock: more may come. Must not block. */
    void resume();

    /** From any thread: the reader has taken queued bytes, or they were discarded. */
    default void taken(int bytes) {}

    /** From any thread: queued bytes no longer take memory: they were read or discarded. */
    default void freed(int bytes) {}

    /**
     * On the reader's thread: there is nothing to read, so it is about to wait.
     *
     * @throws IOException if the content will never come
     */
    default void awaited() throws IOException {}

    /**
     * On the reader's thread, before it parks: how long it may wait, see {@link WaitLimit#check()}.
     *
     * @param since when content last arrived, or the wait began
     */
    default long checkWait(long since, long now) throws IOException {
      return Deadline.NEVER_NANOS;
    }

    /**
     * On the reader's thread, before it collects content in {@code bytes} bytes in total, which
     * replaces what was said before.
     *
     * @throws IOException if there is no room for them; reading fails then
     */
    default void reserve(int bytes) throws IOException {}

    /**
     * On the reader's thread: what to throw for a failure. An {@link IOException} is thrown as it
     * is: a server's exchange recognizes its own by the instance when a handler passes it on.
     */
    default IOException explain(Exception failure) {
      return failure instanceof IOException known ? known : new IOException(failure);
    }

    /** On the reader's thread: the exception that reading throws; before {@link #finished}. */
    default void failed(IOException failure) {}

    /**
     * On the reader's thread, once: nothing more will be read.
     *
     * @param complete whether all was read, or had arrived when the body was closed
     */
    default void finished(boolean complete) {}
  }

  /** Larger content goes to its reader in pieces, even if all of it arrives at once. */
  public static final int MOST_AT_ONCE_BYTES = 16 * 1024;

  private static final AtomicIntegerFieldUpdater<InboundBody> OPENED =
      AtomicIntegerFieldUpdater.newUpdater(InboundBody.class, "opened");
  private static final AtomicIntegerFieldUpdater<InboundBody> OVER =
      AtomicIntegerFieldUpdater.newUpdater(InboundBody.class, "over");

  private final Source source;
  private final InboundQueue queue;
  private final long length;
  private final Headers headers;

  /** 1 once a reader has the content, and once no more will be read; ints to save two objects. */
  private volatile int opened;

  private volatile int over;

  /**
   * @param bound above this many unread bytes the source is paused; at half of it, it is resumed
   * @param length the length announced, or {@link Body#UNKNOWN}
   */
  public InboundBody(Source source, EventLoop loop, int bound, long length, Headers headers) {
    this.source = source;
    this.queue = new InboundQueue(source, loop, bound);
    this.length = length;
    this.headers = headers;
  }

  /** On the loop: more content; copied. False if it is dropped without a call of the source. */
  public boolean append(ByteBuffer bytes) {
    return queue.append(bytes);
  }

  /** On the loop: the content is complete. */
  public void end(Headers trailers) {
    queue.end(trailers);
  }

  /** On the loop: the content will not be complete. Nothing happens if it is already. */
  public void fail(Exception cause) {
    queue.fail(cause);
  }

  /** How many bytes have arrived so far; exact once the body is read or closed. */
  public long received() {
    return queue.received();
  }

  /** Whether all content has arrived, read or not. */
  public boolean isComplete() {
    return queue.isComplete();
  }

  /** Whether the source was paused for that since the last call. */
  public boolean wasPaused() {
    return queue.wasPaused();
  }

  /** Whether the source is paused because the reader is slow. */
  public boolean isPaused() {
    return queue.isPaused();
  }

  /**
   * The trailer fields.
   *
   * @throws IllegalStateException before the content is complete, or if it never will be
   */
  public Headers trailers() {
    return queue.trailers();
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
    return ContentFields.mediaType(headers);
  }

  @Override
  public InputStream stream() {
    open();
    return new Reading();
  }

  private void open() {
    if (opened != 0 || !OPENED.compareAndSet(this, 0, 1)) {
      throw new IllegalStateException("the body has been read already; it can be read once");
    }
  }

  @Override
  public void reserve(int bytes) throws IOException {
    source.reserve(bytes);
  }

  /** Drops the content where it arrives, without a copy or a wake-up for it. */
  @Override
  public long discard() throws IOException {
    open();
    try {
      long dropped = queue.skip();
      finish(true);
      return dropped;
    } catch (IOException e) {
      finish(false);
      throw e;
    }
  }

  @Override
  public void close() {
    finish(isComplete());
  }

  private void finish(boolean complete) {
    if (OVER.compareAndSet(this, 0, 1)) {
      // Before the source goes on to the next message, which must not find it paused.
      queue.discard();
      source.finished(complete);
    }
  }

  /** Used by one thread. */
  private final class Reading extends InputStream {
    @Override
    public int read() throws IOException {
      try {
        return endedAt(queue.read());
      } catch (IOException e) {
        throw abandoned(e);
      }
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      try {
        return endedAt(queue.read(target, offset, count));
      } catch (IOException e) {
        throw abandoned(e);
      }
    }

    private IOException abandoned(IOException failure) {
      if (over == 0) {
        source.failed(failure);
      }
      finish(false);
      return failure;
    }

    private int endedAt(int result) {
      if (result < 0) {
        finish(true);
      }
      return result;
    }

    @Override
    public int available() {
      return queue.available();
    }

    @Override
    public void close() {
      InboundBody.this.close();
    }
  }
}
