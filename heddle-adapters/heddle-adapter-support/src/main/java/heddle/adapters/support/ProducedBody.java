package heddle.adapters.support;

import heddle.http.Body;
import heddle.http.io.ContentPipe;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Content that its producer writes to a {@linkplain #pipe pipe} when the sending thread asks for
 * it. Short content of known length that is available without waiting is sent with the head. It is
 * sent once: Apache repeats requests.
 */
public abstract class ProducedBody extends Body implements ContentPipe.Producer, ReusedContent {
  /** The maximum length of content that is sent at once: the size of one read of a stream. */
  private static final int MOST_AT_ONCE_BYTES = 64 * 1024;

  /** Shorter content is copied to new memory of its length, which is cheaper. */
  private static final int FEW_BYTES = 8 * 1024;

  /**
   * Memory outside of the heap, which the system sends without another copy, the last used first.
   * A few per processor: a thread keeps it while its socket takes no more. At most 2 MiB.
   */
  private static final Deque<ByteBuffer> FREE = new ConcurrentLinkedDeque<>();

  private static final int MOST_BORROWED =
      Math.clamp(4L * Runtime.getRuntime().availableProcessors(), 8, 32);
  private static final AtomicInteger MADE = new AtomicInteger();

  /** Takes what is produced. */
  protected final ContentPipe pipe;

  private final long length;
  private final BooleanSupplier writtenAtOnce;
  private @Nullable ByteBuffer whole;
  private boolean complete;

  /** The memory of the whole content, if it may be reused after sending. */
  private @Nullable ByteBuffer borrowed;

  /**
   * @param length in bytes; negative if unknown
   * @param writtenAtOnce whether the connection no longer needs the content once it was {@link
   *     #sent}
   */
  @SuppressWarnings("this-escape") // the pipe only stores it
  protected ProducedBody(long length, BooleanSupplier writtenAtOnce) {
    this.length = Math.max(UNKNOWN, length);
    this.writtenAtOnce = writtenAtOnce;
    this.pipe = new ContentPipe(this);
  }

  /** What the producer has thrown, which is reported unchanged; null if nothing. */
  public final @Nullable Throwable failure() {
    return pipe.failure();
  }

  /**
   * Called on the sending thread when the request was written, and again when it has failed or was
   * answered. Idempotent.
   */
  @Override
  public final void sent() {
    ByteBuffer used = borrowed;
    if (used != null) {
      borrowed = null;
      complete = false;
      whole = ByteBuffer.allocate(0);
      pipe.forgetWhole();
      FREE.push(used);
    }
  }

  /**
   * Runs the producer to its end if the server has answered early. The rest of the content is
   * discarded, but the exchange ends only when both have ended.
   */
  public final void finish() throws IOException {
    pipe.finish();
  }

  @Override
  public final long length() {
    return length;
  }

  @Override
  public final boolean isReplayable() {
    return false;
  }

  @Override
  public final @Nullable ByteBuffer inMemory() {
    if (length < 0 || length > MOST_AT_ONCE_BYTES) {
      return null;
    }
    ByteBuffer all = whole;
    if (all == null) {
      all = memory((int) length);
      complete = pipe.takeWhole(all);
      whole = all.flip();
    }
    return complete ? all.asReadOnlyBuffer() : null;
  }

  private ByteBuffer memory(int size) {
    ByteBuffer free = size > FEW_BYTES && writtenAtOnce.getAsBoolean() ? borrow() : null;
    borrowed = free;
    return free == null ? ByteBuffer.allocate(size) : free.slice(0, size);
  }

  /** Null if all is in use. */
  private static @Nullable ByteBuffer borrow() {
    ByteBuffer free = FREE.poll();
    boolean makes =
        free == null && MADE.get() < MOST_BORROWED && MADE.getAndIncrement() < MOST_BORROWED;
    return makes ? ByteBuffer.allocateDirect(MOST_AT_ONCE_BYTES) : free;
  }

  @Override
  public final InputStream stream() {
    return pipe.input();
  }
}
