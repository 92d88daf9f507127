package heddle.adapters.apache5;

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
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.nio.AsyncDataProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.jspecify.annotations.Nullable;

/**
 * The content that a producer has for a request. It is asked for more, on the thread that sends,
 * when all it has written was taken; what it writes beyond the buffer it keeps. Sent once.
 */
final class ProducedContent extends Body {
  private static final int BYTES = 32 * 1024;

  /** How often a producer is asked that says it has something and writes nothing. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final AsyncDataProducer producer;
  private final long length;
  private final boolean announcesTrailers;
  private final Produced produced = new Produced();

  /** What the producer has thrown, which is told as it is. */
  private volatile @Nullable Exception failure;

  ProducedContent(AsyncDataProducer producer, EntityDetails entity) {
    this.producer = producer;
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
  public InputStream stream() {
    return produced;
  }

  /**
   * Lets the producer come to its end, where the server has answered before: nobody wants the rest,
   * but the exchange is over when both have ended.
   */
  void finish() throws IOException {
    produced.finish();
  }

  /** Whether there may be any: content of known length is followed by announced ones alone. */
  boolean mayHaveTrailers() {
    return length == UNKNOWN || announcesTrailers;
  }

  /** What the producer sends after its content; none before its end. */
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
    private final ByteBuffer buffer = ByteBuffer.allocate(BYTES).limit(0);

    // Guarded by the lock.
    private boolean requested;
    private boolean over;
    private boolean finishing;

    private boolean ended;
    private volatile List<? extends Header> trailers = List.of();

    @Override
    public int read() throws IOException {
      return fill() ? buffer.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      if (size == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int taken = Math.min(size, buffer.remaining());
      buffer.get(target, offset, taken);
      return taken;
    }

    private boolean fill() throws IOException {
      while (!buffer.hasRemaining() && !ended) {
        int has = producer.available();
        if (has > 0) {
          buffer.clear();
          produce();
          buffer.flip();
        }
        if (!buffer.hasRemaining() && !ended) {
          awaitRequest(has > 0);
        }
      }
      return buffer.hasRemaining();
    }

    private void produce() throws IOException {
      try {
        producer.produce(this);
      } catch (IOException | RuntimeException e) {
        failure = e;
        throw new IOException("the request's entity could not be produced", e);
      }
    }

    private void awaitRequest(boolean mayAskAgain) throws IOException {
      lock.lock();
      try {
        long left = PAUSE_NANOS;
        while (!requested && (!over || finishing) && left > 0) {
          if (mayAskAgain) {
            left = changed.awaitNanos(left);
          } else {
            changed.await();
          }
        }
        requested = false;
        if (over && !finishing) {
          throw new IOException("nobody reads the request's entity any more");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while an entity was awaited");
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void requestOutput() {
      lock.lock();
      try {
        requested = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /** Within {@code produce}, on its thread. */
    @Override
    public int write(ByteBuffer source) {
      int taken = Math.min(source.remaining(), buffer.remaining());
      buffer.put(source.slice(source.position(), taken));
      source.position(source.position() + taken);
      return taken;
    }

    @Override
    public void endStream() {
      endStream(List.of());
    }

    @Override
    public void endStream(@Nullable List<? extends Header> fields) {
      trailers = fields == null ? List.of() : fields;
      ended = true;
      requestOutput();
    }

    void finish() throws IOException {
      lock.lock();
      try {
        finishing = true;
      } finally {
        lock.unlock();
      }
      transferTo(OutputStream.nullOutputStream());
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
}
