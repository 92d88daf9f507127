package heddle.adapters.apache5;

import heddle.adapters.support.ContentBuffers;
import heddle.http.Body;
import heddle.http.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.nio.AsyncDataProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request from a producer. The sending thread asks the producer for more when
 * everything it has written was sent. The producer keeps what exceeds the buffer. Small content of
 * known length that is available without waiting is sent at once. Can be sent once.
 */
final class ProducedContent extends Body {
  /** The maximum length of content that is sent at once: the size of one read of a stream. */
  private static final int MOST_AT_ONCE_BYTES = 64 * 1024;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** How many bytes are buffered from a producer that writes without being asked. */
  private static final int UNASKED_BYTES = 32 * 1024;

  /** The pause before a producer is asked again that has content but wrote nothing. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final ContentBuffers BUFFERS = new ContentBuffers();

  private final AsyncDataProducer producer;
  private final long length;
  private final boolean announcesTrailers;
  private final BooleanSupplier writtenAtOnce;
  private final Produced produced = new Produced();

  /** What the producer has thrown, which is reported unchanged. */
  private volatile @Nullable Exception failure;

  /**
   * @param writtenAtOnce whether the sending connection no longer needs the content once it was
   *     {@link #sent}
   */
  ProducedContent(AsyncDataProducer producer, EntityDetails entity, BooleanSupplier writtenAtOnce) {
    this.producer = producer;
    this.writtenAtOnce = writtenAtOnce;
    this.length = entity.isChunked() ? UNKNOWN : Math.max(UNKNOWN, entity.getContentLength());
    this.announcesTrailers = !entity.getTrailerNames().isEmpty();
  }

  @Nullable
  Exception failure() {
    return failure;
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
  public @Nullable ByteBuffer inMemory() {
    return length < 0 || length > MOST_AT_ONCE_BYTES ? null : produced.whole((int) length);
  }

  /** Called on the sending thread when the request was written. */
  void sent() {
    produced.giveBack();
  }

  @Override
  public InputStream stream() {
    produced.open = true;
    return produced;
  }

  /**
   * Runs the producer to its end if the server has answered early. The rest of the content is
   * discarded, but the exchange ends only when both have ended.
   */
  void finish() throws IOException {
    produced.finish();
  }

  /** Whether there may be trailers: content of known length has only announced ones. */
  boolean mayHaveTrailers() {
    return length == UNKNOWN || announcesTrailers;
  }

  /** The trailers of the producer; none before the end of the content. */
  Headers trailers() {
    Headers.Builder fields = Headers.builder();
    for (Header field : produced.trailers) {
      fields.add(field.getName(), field.getValue());
    }
    return fields.build();
  }

  private final class Produced extends InputStream implements DataStreamChannel {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private boolean news;

    /** Whether the producer has requested output, even if it reports nothing available. */
    private boolean wanted;

    private boolean over;
    private boolean finishing;

    /** What the producer's own threads have written without being asked. */
    private ByteBuffer unasked = NOTHING;

    /** What was produced before the stream was opened. */
    private @Nullable ByteBuffer before;

    /** The array of that, if it may be reused after sending. */
    private byte @Nullable [] borrowed;

    /** Whether the producer was asked. It is asked once before it reports any content. */
    private boolean begun;

    /** The target of writes while the producer is asked; null at other times. */
    private @Nullable ByteBuffer room;

    /** The thread that asks the producer. */
    private volatile @Nullable Thread asking;

    /** Whether the sending thread is reading the stream. */
    private volatile boolean open;

    private volatile boolean ended;
    private volatile List<? extends Header> trailers = List.of();

    /**
     * Returns the whole content if the producer has it without waiting, otherwise null: it must be
     * read.
     */
    @Nullable
    ByteBuffer whole(int size) {
      ByteBuffer all = before == null ? produceAtOnce(size) : before;
      before = all;
      return ended && all.remaining() == size && !hasUnasked() ? all.asReadOnlyBuffer() : null;
    }

    private ByteBuffer produceAtOnce(int size) {
      ByteBuffer all = memory(size);
      try {
        for (int last = -1; !ended && last < all.position() && offered() > 0; ) {
          last = all.position();
          produce(all);
        }
      } catch (IOException e) {
        // Reading fails with the same exception, and so does the connection.
      }
      return all.flip();
    }

    private ByteBuffer memory(int size) {
      if (!ContentBuffers.areKeptFor(size) || !writtenAtOnce.getAsBoolean()) {
        return ByteBuffer.allocate(size);
      }
      byte[] array = BUFFERS.take(size);
      borrowed = array;
      return ByteBuffer.wrap(array, 0, size);
    }

    void giveBack() {
      byte[] array = borrowed;
      if (array != null) {
        borrowed = null;
        before = NOTHING;
        BUFFERS.giveBack(array);
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      if (size == 0) {
        return 0;
      }
      ByteBuffer taken = ByteBuffer.wrap(target, offset, size);
      ByteBuffer early = before;
      if (early != null && early.hasRemaining()) {
        move(early, taken);
      }
      while (taken.position() == offset && !takeUnasked(taken) && !ended) {
        int has = takeWanted() ? 1 : offered();
        if (has > 0) {
          produce(taken);
        }
        if (taken.position() == offset && !ended) {
          awaitRequest(has > 0);
        }
        // What was written before the end is visible when the end is.
      }
      if (taken.position() == offset) {
        takeUnasked(taken);
      }
      return taken.position() == offset ? -1 : taken.position() - offset;
    }

    private int offered() {
      return begun ? producer.available() : 1;
    }

    private void produce(ByteBuffer target) throws IOException {
      if (failure != null) {
        throw new IOException("the request's entity could not be produced", failure);
      }
      begun = true;
      room = target;
      asking = Thread.currentThread();
      try {
        producer.produce(this);
      } catch (IOException | RuntimeException e) {
        failure = e;
        throw new IOException("the request's entity could not be produced", e);
      } finally {
        asking = null;
        room = null;
      }
    }

    private void awaitRequest(boolean mayAskAgain) throws IOException {
      lock.lock();
      try {
        long left = PAUSE_NANOS;
        while (!news && (!over || finishing) && left > 0) {
          if (mayAskAgain) {
            left = changed.awaitNanos(left);
          } else {
            changed.await();
          }
        }
        news = false;
        if (over && !finishing) {
          throw new IOException("the request's entity is no longer read");
        }
      } catch (InterruptedException e) {
        throw interrupted();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void requestOutput() {
      lock.lock();
      try {
        wanted = true;
        tell();
      } finally {
        lock.unlock();
      }
    }

    private boolean takeWanted() {
      lock.lock();
      try {
        boolean was = wanted;
        wanted = false;
        return was;
      } finally {
        lock.unlock();
      }
    }

    /** Wakes the reader. The caller holds the lock. */
    private void tell() {
      news = true;
      changed.signalAll();
    }

    /** Writes to the reader's buffer on the asking thread, and to the side buffer on any other. */
    @Override
    public int write(ByteBuffer source) {
      lock.lock();
      try {
        ByteBuffer target = asking == Thread.currentThread() ? room : null;
        // Bytes in the side buffer were written earlier, and go first.
        return target == null || unasked.position() > 0 ? putAside(source) : move(source, target);
      } finally {
        lock.unlock();
      }
    }

    private int putAside(ByteBuffer source) {
      if (unasked == NOTHING) {
        unasked = ByteBuffer.allocate(UNASKED_BYTES);
      }
      int put = move(source, unasked);
      tell();
      return put;
    }

    private boolean hasUnasked() {
      lock.lock();
      try {
        return unasked.position() > 0;
      } finally {
        lock.unlock();
      }
    }

    private boolean takeUnasked(ByteBuffer target) {
      lock.lock();
      try {
        if (unasked.position() == 0) {
          return false;
        }
        int moved = move(unasked.flip(), target);
        unasked.compact();
        return moved > 0;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void endStream() {
      endStream(List.of());
    }

    @Override
    public void endStream(@Nullable List<? extends Header> fields) {
      trailers = fields == null ? List.of() : fields;
      lock.lock();
      try {
        ended = true;
        tell();
      } finally {
        lock.unlock();
      }
    }

    void finish() throws IOException {
      lock.lock();
      try {
        // Over HTTP/2 another thread may still be sending. One thread at a time asks the producer.
        while (open && !over) {
          changed.await();
        }
        finishing = true;
      } catch (InterruptedException e) {
        throw interrupted();
      } finally {
        lock.unlock();
      }
      if (!ended) {
        transferTo(OutputStream.nullOutputStream());
      }
    }

    private InterruptedIOException interrupted() {
      Thread.currentThread().interrupt();
      return new InterruptedIOException("interrupted while an entity was awaited");
    }

    @Override
    public void close() {
      lock.lock();
      try {
        over = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private static int move(ByteBuffer source, ByteBuffer target) {
    int moved = Math.min(source.remaining(), target.remaining());
    target.put(source.slice(source.position(), moved));
    source.position(source.position() + moved);
    return moved;
  }
}
